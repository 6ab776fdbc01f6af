// NodeLifecycles and node states for tests of pure code.

import { noSharing } from '../../src/base/intern.ts';
import type { NodeLifecycleStatus } from '../../src/api/node-lifecycle.ts';
import { noAnswers } from '../../src/runtime/asked.ts';
import { type LifecycleView, projectLifecycle } from '../../src/fleet/lifecycle.ts';
import type { NodeState, Verdict } from '../../src/fleet/node-state.ts';
import { createPoolResolver, createPoolSelectorCache } from '../../src/fleet/pools.ts';
import { createNodeStateStore } from '../../src/fleet/store.ts';
import type { NodeView } from '../../src/objects/node.ts';
import { evaluateNode } from '../../src/runtime/evaluate.ts';
import { capability, shelfCaches } from './capability-builder.ts';

export function lifecycleView(status: NodeLifecycleStatus = {}, nodeUID = 'uid-1'): LifecycleView {
  return projectLifecycle(
    {
      metadata: { name: 'a', uid: `record-of-${nodeUID}`, resourceVersion: '5' },
      spec: { nodeName: 'a', nodeUID },
      status,
    },
    noSharing,
  );
}

/** What the centre concludes about a node of which one capability says this. */
export function stateOf(node: NodeView, verdicts: readonly Verdict[] = []): NodeState {
  const store = createNodeStateStore();
  const { conclusion } = evaluateNode({
    capabilities: [capability({ decides: { verdicts } })],
    answers: noAnswers,
    caches: shelfCaches(),
    node,
    pools: createPoolResolver(createPoolSelectorCache(), []),
    previous: undefined,
    now: 0,
  });
  const [change] = store.set(conclusion, { at: 0, triggerSource: 'Node', resourceVersion: '1' });
  if (change?.newState) return change.newState;
  throw new Error('the first state of a node is a change');
}
