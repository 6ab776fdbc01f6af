import { describe, expect, it } from 'vitest';
import { apiFailure } from '../../test/support/api-failure.ts';
import { lifecycleView } from '../../test/support/lifecycle-builder.ts';
import { manualClock } from '../../test/support/manual-clock.ts';
import { createMemoryKubeApi } from '../../test/support/memory-kube-api.ts';
import { nodeView, rawNode } from '../../test/support/node-builder.ts';
import { recordedMetrics } from '../../test/support/recorded-metrics.ts';
import type { Log, LogFields } from '../base/log.ts';
import { nodeType } from '../objects/ref.ts';
import { type Action, type ActOutcome, createAct } from './act.ts';
import type { ApiFailure } from './ports.ts';

const patch: Action = {
  kind: 'PatchNode',
  node: nodeView(),
  patch: { metadata: { labels: { team: 'x' } } },
  causes: ['stamp: labels team present'],
};

function scene(given: { readonly failure?: ApiFailure; readonly epoch?: number | null } = {}) {
  const { failure = null, epoch = 7 } = given;
  const api = createMemoryKubeApi({ clock: manualClock(), before: () => failure });
  api.put(nodeType, rawNode());
  const metrics = recordedMetrics();
  const lines: LogFields[] = [];
  const note = (_: string, fields: LogFields = {}) => void lines.push(fields);
  const log: Log = { debug: note, info: note, warn: note, error: note, with: () => log };
  return { api, lines, metrics, act: createAct({ api, leadership: { epoch: () => epoch }, log, metrics }) };
}

describe('an action', () => {
  it('is carried out by one call and answered with the object as it is now', async () => {
    const { api, act } = scene();
    expect(await act(patch)).toMatchObject({ kind: 'done', object: { metadata: { labels: { team: 'x' } } } });
    expect(api.calls.map(({ verb }) => verb)).toEqual(['patch']);
  });

  it('is not carried out by a replica that does not lead', async () => {
    const { api, act, lines } = scene({ epoch: null });
    expect(await act(patch)).toEqual({ kind: 'notLeading' });
    expect([api.calls, lines]).toEqual([[], []]);
  });

  it('leaves one line that says what was done, why, on what evidence and in which epoch', async () => {
    const { act, lines, metrics } = scene();
    await act(patch);
    expect(lines).toEqual([
      {
        action: 'PatchNode',
        object: 'Node a',
        cause: ['stamp: labels team present'],
        evidence: '10',
        epoch: 7,
        outcome: 'done',
        resourceVersion: '3',
      },
    ]);
    expect(metrics.value('muster_writes_total', { action: 'PatchNode', outcome: 'done' })).toBe(1);
  });

  it('that deletes a record names the very state of the very object', async () => {
    const { api, act } = scene();
    await act({ kind: 'DeleteLifecycle', lifecycle: lifecycleView(), cause: 'NodeRecreated' });
    expect(api.calls[0]).toMatchObject({
      verb: 'delete',
      body: { uid: 'record-of-uid-1', resourceVersion: '5' },
    });
  });

  it('that writes a status is guarded by the state it was computed from', async () => {
    const { api, act } = scene();
    await act({
      kind: 'WriteLifecycle',
      lifecycle: lifecycleView(),
      patch: { stage: 'Gated' },
      cause: 'display',
    });
    expect(api.calls[0]).toMatchObject({
      verb: 'patch',
      subresource: 'status',
      body: {
        body: { metadata: { uid: 'record-of-uid-1', resourceVersion: '5' }, status: { stage: 'Gated' } },
      },
    });
  });

  it.each<[ApiFailure['reason'], ApiFailure['effect'], ActOutcome['kind']]>([
    ['Conflict', 'none', 'conflict'],
    ['AlreadyExists', 'none', 'conflict'],
    ['NotFound', 'none', 'conflict'],
    ['Invalid', 'none', 'rejected'],
    ['Forbidden', 'none', 'rejected'],
    ['BadRequest', 'none', 'rejected'],
    ['NotServed', 'none', 'failed'],
    ['ServerError', 'none', 'failed'],
    ['TooManyRequests', 'none', 'failed'],
    ['Timeout', 'unknown', 'unknown'],
    ['ServerError', 'unknown', 'unknown'],
    ['Malformed', 'unknown', 'unknown'],
  ])('that ends in %s with the effect %s is %s', async (reason, effect, kind) => {
    const { act, lines } = scene({ failure: apiFailure(reason, { effect }) });
    expect((await act(patch)).kind).toBe(kind);
    expect(lines).toMatchObject([{ outcome: kind }]);
  });
});
