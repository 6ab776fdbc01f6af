import { describe, expect, it } from 'vitest';
import type { Body, Reply } from '../target.ts';
import { firstDifference, formatDifference } from './compare.ts';
import { sequenceOf } from './generate.ts';
import { createNormaliser } from './normalise.ts';
import { kinds, type Operation } from './operation.ts';
import type { World } from './world.ts';

const get: Operation = { kind: 'get', on: 'nodes', slot: 'a', part: 'object', form: 'object' };

function reply(status: number, body: Body): Reply {
  return { status, headers: {}, body, text: '' };
}

function world(name: string, statuses: readonly number[]): World {
  const left = [...statuses];
  return { name, perform: async () => ({ status: left.shift() ?? 0 }), leave: async () => undefined };
}

describe('a sequence', () => {
  it('is the same for the same seed and another for another', () => {
    expect(sequenceOf(17)).toEqual(sequenceOf(17));
    expect(sequenceOf(17)).not.toEqual(sequenceOf(18));
  });

  it('comes to every kind and every operation within a few seeds', () => {
    const operations = Array.from({ length: 40 }, (_, seed) => sequenceOf(seed)).flat();
    expect(new Set(operations.map(({ on }) => on))).toEqual(new Set(kinds));
    const verbs = new Set(operations.map(({ kind }) => kind));
    expect(verbs).toEqual(
      new Set(['create', 'get', 'replace', 'patch', 'delete', 'act', 'list', 'delete-many', 'watch']),
    );
  });
});

describe('two worlds', () => {
  it('agree when all their answers do', async () => {
    const worlds = [world('one', [200, 404]), world('two', [200, 404])] as const;
    expect(await firstDifference(worlds, [get, get])).toBe(null);
  });

  it('differ at the first step whose answers are not the same, told with the seed', async () => {
    const worlds = [world('one', [200, 404]), world('two', [200, 409])] as const;
    const difference = await firstDifference(worlds, [get, get]);
    expect(difference).toMatchObject({ step: 1, operation: get });
    if (difference === null) throw new Error('there is a difference');
    const told = formatDifference(17, worlds, difference);
    expect(told).toContain('seed 17, step 2: get nodes');
    expect(told).toContain('one: {"status":404}');
    expect(told).toContain('two: {"status":409}');
  });
});

describe('a normal answer', () => {
  const place = { namespace: 'left', prefix: 'lefts1' };
  const object = (uid: string, resourceVersion: string) => ({
    metadata: {
      name: 'lefts1-a',
      namespace: 'left',
      uid,
      resourceVersion,
      creationTimestamp: '2026-01-01T00:00:00Z',
    },
  });

  it('names uids and versions by the order in which they are first seen', () => {
    const { answer } = createNormaliser(place);
    const seen = [object('x', '17'), object('x', '23'), object('y', '17')].map((body) =>
      answer(reply(200, body)),
    );
    expect(seen).toEqual(
      [
        ['uid 1', 'version 1'],
        ['uid 1', 'version 2'],
        ['uid 2', 'version 1'],
      ].map(([uid, resourceVersion]) => ({
        status: 200,
        object: {
          metadata: {
            name: 'NAME-a',
            namespace: 'NAMESPACE',
            uid,
            resourceVersion,
            creationTimestamp: 'a time',
          },
        },
        warnings: [],
      })),
    );
  });

  it('keeps code, reason, words and causes of a refusal, each cause once', () => {
    const { answer } = createNormaliser(place);
    const cause = { field: 'spec.size', reason: 'FieldValueInvalid', message: 'too big' };
    const body = {
      kind: 'Status',
      status: 'Failure',
      reason: 'Invalid',
      message: 'no',
      details: { kind: 'Node', causes: [cause, cause] },
    };
    expect(answer(reply(422, body))).toEqual({
      status: 422,
      verdict: 'Failure',
      reason: 'Invalid',
      message: 'no',
      details: { kind: 'Node', causes: ['spec.size FieldValueInvalid too big'], isNamed: false },
      warnings: [],
    });
  });

  it('leaves out of a sentence what differs from server to server', () => {
    const { answer } = createNormaliser(place);
    const saying = (message: string) =>
      answer(reply(409, { kind: 'Status', status: 'Failure', message }))['message'];
    const uid = '0f0e0d0c-0000-4000-8000-000000000001';
    expect(saying(`UID in object meta: ${uid}`)).toBe('UID in object meta: uid 1');
    expect(saying('the ResourceVersion in record (12) is another')).toBe(
      'the ResourceVersion in record (some version) is another',
    );
    expect(saying('[a: b, spec: Forbidden: no\n@@ -1,2 +3,4 @@\n {\n]')).toBe('[a: b, spec: Forbidden: no]');
    expect(saying('patch: Invalid value: "{\\"a\\":1}": bad')).toBe('patch: Invalid value: the object: bad');
  });

  it('leaves out what is not of its world, in lists and in watches', () => {
    const { answer, history } = createNormaliser(place);
    const foreign = { metadata: { name: 'rites1-a', uid: 'z', resourceVersion: '1' } };
    const items = [foreign, object('x', '2')];
    expect(answer(reply(200, { kind: 'NodeList', items }))).toMatchObject({
      items: [{ metadata: { uid: 'uid 1' } }],
    });
    const lines = items.map((item) => JSON.stringify({ type: 'ADDED', object: item }));
    expect(history(200, lines)).toMatchObject({
      events: [{ type: 'ADDED', object: { metadata: { name: 'NAME-a' } } }],
    });
  });
});
