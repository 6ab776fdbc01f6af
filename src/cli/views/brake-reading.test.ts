import { describe, expect, it } from 'vitest';
import { nodeLifecycleType } from '../../api/keys.ts';
import { manualClock } from '../../../test/support/manual-clock.ts';
import { createMemoryKubeApi } from '../../../test/support/memory-kube-api.ts';
import { ruleView } from '../../../test/support/rule-builder.ts';
import { readBrake } from './brake-reading.ts';

const view = ruleView();
const firstReleasedAt = '2026-01-01T00:00:00Z';
const key = 'readiness.k8s.io/NetworkReady';
const listed = {
  owned: [{ kind: 'Taint', key, effect: 'NoSchedule', value: '', owner: view.owner }],
};
const shown = { ...listed, gates: [{ key, effect: 'NoSchedule' }] };

async function read(records: Readonly<Record<string, object>>, gated: readonly string[]) {
  const api = createMemoryKubeApi({ clock: manualClock() });
  for (const [name, status] of Object.entries(records))
    api.put(nodeLifecycleType, { metadata: { name }, status: { pool: 'blue', ...status } });
  const { brake } = await readBrake(api, { view, held: ['held'], gated, now: 0 });
  return { wanted: brake.wantedNodes, pools: brake.pools };
}

describe('how much of a pool is gated', () => {
  const held = { firstReleasedAt };
  it.each<[string, Readonly<Record<string, object>>, readonly string[], number]>([
    ['counts a gate that the record shows', { a: { firstReleasedAt, ...shown } }, [], 1],
    [
      'counts once a gate that both the record and the evaluation show',
      { a: { firstReleasedAt, ...shown } },
      ['a'],
      1,
    ],
    [
      'counts a gate that the evaluation shows before the record does',
      { a: { firstReleasedAt, ...listed } },
      ['a'],
      1,
    ],
    ['counts no gate that is listed and shown by neither', { a: { firstReleasedAt, ...listed } }, [], 0],
    ['counts no node that was never released', { a: shown }, ['a'], 0],
  ])('%s', async (_sentence, records, gated, count) => {
    expect(await read({ ...records, held }, gated)).toEqual({
      wanted: count + 1,
      pools: [{ name: 'blue', nodes: Object.keys(records).length + 1, gated: count, held: 1 }],
    });
  });
});
