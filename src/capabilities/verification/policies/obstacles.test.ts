import { describe, expect, it } from 'vitest';
import { nodeView } from '../../../../test/support/node-builder.ts';
import { recordedScene } from '../../../../test/support/recorded-scene.ts';
import type { VerificationRecord } from '../../../fleet/lifecycle.ts';
import { taintWasTakenAway } from './obstacles.ts';

const gated: VerificationRecord = {
  state: 'pending',
  gates: true,
  gatedAt: '2026-11-01T00:00:00Z',
  gatedAsOf: '100',
};

describe('a node without the taint that it was seen with', () => {
  it.each([
    ['older than the one that had it', '99', undefined],
    ['newer than the one that had it', '101', 'ManualOverride'],
  ])('in a version %s', (_, resourceVersion, reason) => {
    const node = { ...nodeView(), resourceVersion };
    expect(taintWasTakenAway(recordedScene({ record: gated, node }))?.reason).toBe(reason);
  });

  it('is one whose taint was taken away, where no version is on record', () => {
    const { gatedAsOf: _unknown, ...record } = gated;
    expect(taintWasTakenAway(recordedScene({ record }))?.reason).toBe('ManualOverride');
  });
});
