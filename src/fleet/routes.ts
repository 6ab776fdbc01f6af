// The routing table: from a change of any watched object to the nodes it touches, and only those.

import type { NodeView } from '../objects/node.ts';
import { matches, type Selector } from '../objects/selector.ts';
import type { NodeStateStore } from './store.ts';

/**
 * | what changed             | nodes touched                                                |
 * | a Node, or its deletion  | that node                                                    |
 * | a pool's selector        | nodes that the old or the new selector matches               |
 * | a config's version       | nodes that run it or are to run it                           |
 * | a setting of the cluster | all nodes                                                    |
 *
 * `all` is a value of its own: the caller slices it instead of holding ten thousand names.
 */
export type Touched = Iterable<string> | 'all';

/** Before and after of a watched object: null before it existed and after it is gone. */
export type Difference<V> = { readonly before: V | null; readonly now: V | null };

export function* nodesUnderSelectors(
  { before, now }: Difference<Selector>,
  nodes: Iterable<Pick<NodeView, 'name' | 'labels'>>,
): Generator<string> {
  for (const node of nodes) {
    const isTouched =
      (before !== null && matches(before, node.labels)) || (now !== null && matches(now, node.labels));
    if (isTouched) yield node.name;
  }
}

export function nodesUsingConfig(config: string, store: NodeStateStore): readonly string[] {
  const names: string[] = [];
  store.range((state) => {
    if (state.currentConfig === config || state.desiredConfig === config) names.push(state.name);
    return true;
  });
  return names;
}
