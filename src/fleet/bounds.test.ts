import * as fc from 'fast-check';
import { Value } from 'typebox/value';
import { describe, expect, it } from 'vitest';
import { life, lifecycleFacts, minutes, nodeState, noon, verdict } from '../../test/support/builders.ts';
import { nodeView } from '../../test/support/node-builder.ts';
import { annotationWish, labelWish, present, taintWish } from '../../test/support/wish-builder.ts';
import { updatePhases } from '../api/lifecycle-vocabulary.ts';
import { type NodeLifecycleStatus, nodeLifecycleKind } from '../api/node-lifecycle.ts';
import type { MergedKeyWish } from '../objects/wish.ts';
import { cut, statusLimits } from './bounds.ts';
import { type LifecycleFacts, nextLifecycle } from './lifecycle.ts';

describe('a text that is cut', () => {
  it.each([
    ['stays as it is within its bound', 'ready', 5, 'ready'],
    ['ends in a mark', 'not ready', 5, 'not …'],
    ['is never cut through a character', 'go \u{1f600} on', 5, 'go \ufffd…'],
    ['is made whole where it was not', 'a\ud83d', 5, 'a\ufffd'],
    ['stays empty', '', 5, ''],
  ])('%s', (_, text, lengthMax, short) => {
    expect(cut(text, lengthMax)).toBe(short);
  });

  it('is within its bound, and stays as it is when it is cut again', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 40 }),
        fc.integer({ min: 1, max: 20 }),
        (text, max) => {
          const short = cut(text, max);
          expect(short.length).toBeLessThanOrEqual(max);
          expect(cut(short, max)).toBe(short);
        },
      ),
    );
  });
});

const anyText = fc.oneof(
  fc.string({ maxLength: 8 }),
  fc.string({ unit: 'binary', minLength: 50, maxLength: 400, size: 'max' }),
  fc.nat(400).map((length) => 'x'.repeat(length)),
);
const anyKey = fc.oneof(
  fc.constantFrom('a', 'b', 'c/d', `${'p'.repeat(253)}/${'n'.repeat(63)}`, 'constructor'),
  fc.nat(60).map((index) => `key-${index}`),
);
const anyProof = fc.constantFrom('object' as const, 'record' as const);
const anyPresent = fc
  .record({ value: anyText, owner: anyText, proof: anyProof })
  .map(({ value, ...given }) => present(value, given));
const anyWish: fc.Arbitrary<MergedKeyWish> = fc.oneof(
  fc.tuple(fc.oneof(anyKey, anyText), anyPresent).map(([key, wish]) => labelWish(key, wish)),
  fc.tuple(anyKey, anyPresent).map(([key, wish]) => annotationWish(key, wish)),
  fc.tuple(anyKey, anyPresent).map(([key, wish]) => taintWish(`${key}:NoSchedule`, wish)),
);
const anyWishes = fc.uniqueArray(anyWish, { maxLength: 90, selector: ({ kind, key }) => `${kind} ${key}` });
const anyTaints = fc.uniqueArray(
  fc.record({ key: anyKey, effect: fc.constantFrom('NoSchedule', 'NoExecute'), value: fc.constant('') }),
  { maxLength: 30, selector: ({ key, effect }) => `${key}:${effect}` },
);
const anyVerdict = fc
  .record({
    parent: anyText,
    reason: anyText,
    message: anyText,
    holdsIn: fc.constantFrom(undefined, 'Configuring' as const, 'Verifying' as const),
  })
  .map(({ holdsIn, ...given }) => verdict({ ...given, ...(holdsIn === undefined ? {} : { holdsIn }) }));
const anyState = fc
  .record({
    poolRef: fc.record({ kind: fc.constant('Selector'), name: anyText }),
    version: anyText,
    desiredVersion: anyText,
    currentConfig: anyText,
    desiredConfig: anyText,
    message: anyText,
    phase: fc.constantFrom(...updatePhases),
    verdicts: fc.array(anyVerdict, { maxLength: 3 }),
  })
  .map((given) => nodeState(given));
const anyNode = fc
  .record({ taints: anyTaints, bootID: anyText, ready: fc.constantFrom('True' as const, 'False' as const) })
  .map((sketch) => nodeView(sketch));
const anyFacts = fc
  .record({ node: anyNode, state: anyState, wishes: anyWishes, isSettled: fc.boolean() })
  .map((given) => lifecycleFacts(given));

/** As it comes back: a server that is written in Go replaces halves of characters. */
const fromServer = (status: NodeLifecycleStatus): NodeLifecycleStatus =>
  JSON.parse(
    JSON.stringify(status, (_, value: unknown) => (typeof value === 'string' ? value.toWellFormed() : value)),
  );

describe('a status, whatever is said of a node', () => {
  it('is one that the API server accepts', () => {
    fc.assert(
      fc.property(anyFacts, anyFacts, (first, second) => {
        const { status } = nextLifecycle({ ...second, previous: nextLifecycle(first).status });
        expect([...Value.Errors(nodeLifecycleKind.status, status)]).toEqual([]);
      }),
    );
  });

  it('changes nothing when it is computed again from what the server made of it', () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const previous = fromServer(nextLifecycle(facts).status);
        const again = nextLifecycle({ ...facts, previous, now: noon + minutes(5) });
        expect(again.changed).toBe('nothing');
      }),
    );
  });
});

describe('the size of a status', () => {
  const bytesOf = (status: NodeLifecycleStatus) => Buffer.byteLength(JSON.stringify(status));
  const words = 'w'.repeat(500);
  const taints = Array.from({ length: 30 }, (_, index) => ({
    key: `${'p'.repeat(253)}/${'n'.repeat(60)}${index}`,
    effect: 'PreferNoExecuteFromNextYear',
  }));
  const worst = (bootID: string): Partial<LifecycleFacts> => ({
    node: { ...nodeView({ taints, bootID }), deletionTimestamp: '2026-01-01T00:00:00Z' },
    state: nodeState({
      poolRef: { kind: 'Selector', name: words },
      version: words,
      desiredVersion: words,
      currentConfig: words,
      desiredConfig: words,
      message: words,
      phase: 'Rebooting',
      verdicts: [verdict({ reason: words, message: words })],
    }),
  });
  const reboots = Array.from({ length: 40 }, (_, index) => worst(`${index}${'b'.repeat(60)}`));

  it('stays within 4 KB in the worst case, and keeps the newest of everything', () => {
    const { status } = life(...reboots);
    expect(bytesOf(status)).toBeLessThanOrEqual(statusLimits.bytesMax);
    expect(status.gateCount).toBe(30);
    expect(status.gates?.length).toBeGreaterThan(0);
    expect(status.timeline?.[0]).toMatchObject({ reason: 'Rebooted' });
  });

  it('stays within 4 KB after an ordinary long life, with all of its timeline', () => {
    const unready = { node: nodeView({ ready: 'False' }) };
    const { status } = life(...Array.from({ length: 80 }, (_, index) => (index % 2 === 0 ? {} : unready)));
    expect(bytesOf(status)).toBeLessThanOrEqual(statusLimits.bytesMax);
    expect(status.timeline).toHaveLength(statusLimits.timelineMax);
  });

  it('never costs a word of the record', () => {
    const wishes = Array.from({ length: 64 }, (_, index) =>
      labelWish(`example.com/a-label-of-usual-length-${index}`, present('a-value', { proof: 'record' })),
    );
    const { status } = life(...reboots, { ...worst('b'), wishes });
    expect(status.owned).toHaveLength(64);
    expect([status.gates?.length, status.timeline?.length, status.gateCount]).toEqual([1, 1, 30]);
  });
});
