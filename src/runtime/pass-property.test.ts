import { noSharing } from '../base/intern.ts';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stateOf } from '../../test/support/lifecycle-builder.ts';
import { readableNode, wishes } from '../../test/support/node-arbitraries.ts';
import { viewOfNode } from '../../test/support/node-builder.ts';
import type { NodeLifecycleStatus } from '../api/node-lifecycle.ts';
import { lacksProof, projectLifecycle, statusOf } from '../fleet/lifecycle.ts';
import { applyMergePatch } from '../objects/patch.ts';
import type { RawObject } from '../objects/raw.ts';
import type { MergedKeyWish } from '../objects/wish.ts';
import type { NodeStep } from './act.ts';
import { planPass } from './pass.ts';

type World = { readonly node: RawObject; readonly record: RawObject | null };

const recordFor = (node: RawObject, status: unknown = {}): RawObject => ({
  metadata: { name: 'a', uid: 'record', resourceVersion: '1' },
  spec: { nodeName: 'a', nodeUID: node.metadata?.uid },
  status,
});

function nextSteps({ node, record }: World, wished: readonly MergedKeyWish[]): readonly NodeStep[] {
  const view = viewOfNode(node);
  return planPass({
    node: view,
    lifecycle: record === null ? undefined : projectLifecycle(record, noSharing),
    state: stateOf(view),
    merged: { keys: wished, conflicts: [] },
    isSettled: true,
    isRecordAwaited: false,
    displayWait: { movedMs: 0, wordsMs: 0 },
    now: 0,
  }).steps;
}

function carriedOut({ node, record }: World, step: NodeStep): World {
  switch (step.kind) {
    case 'PatchNode':
      return { node: applyMergePatch(node, step.patch) as RawObject, record };
    case 'CreateLifecycle':
      return { node, record: recordFor(node) };
    case 'DeleteLifecycle':
      return { node, record: null };
    case 'WriteLifecycle':
      return { node, record: recordFor(node, applyMergePatch(statusOf(step.lifecycle), step.patch)) };
    default:
      throw new Error('a pass over a node writes nothing else');
  }
}

const bornElsewhere = fc.constantFrom<RawObject | null>(null, {
  ...recordFor({ metadata: { uid: 'of an earlier node' } }, { stage: 'InService' }),
});

/** How many steps of each pass are carried out before the process dies: at least one, so that time goes on. */
const deaths = fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 12, maxLength: 12 });

describe('passes over a node', () => {
  it('come to rest, wherever the process dies between two steps', () => {
    fc.assert(
      fc.property(readableNode, bornElsewhere, wishes, deaths, (node, record, wished, lives) => {
        let world: World = { node, record };
        for (const stepsDone of lives)
          world = nextSteps(world, wished).slice(0, stepsDone).reduce(carriedOut, world);
        expect(nextSteps(world, wished)).toEqual([]);
      }),
    );
  });

  it('never write a key to the node before the proof that it needs stands in the record', () => {
    fc.assert(
      fc.property(readableNode, wishes, (node, wished) => {
        let world: World = { node, record: null };
        for (let steps = nextSteps(world, wished); steps.length > 0; steps = nextSteps(world, wished)) {
          for (const step of steps) {
            const before: NodeLifecycleStatus = world.record?.status ?? {};
            const unproven = wished.filter((wish) => lacksProof(before, [wish]));
            const after = carriedOut(world, step);
            if (step.kind === 'PatchNode')
              expect(unproven.filter((wish) => isWritten(world, after, wish))).toEqual([]);
            world = after;
          }
        }
      }),
    );
  });
});

/** Whether a step changed what this wish is about. */
function isWritten(before: World, after: World, { kind, key }: MergedKeyWish): boolean {
  const valueIn = ({ node }: World) => {
    const view = viewOfNode(node);
    return kind === 'taints'
      ? view.taints.find((taint) => `${taint.key}:${taint.effect}` === key)?.value
      : view[kind][key];
  };
  return valueIn(before) !== valueIn(after);
}
