// Counts what readiness throws on a node as failures of its rules. Nobody can tell which of them it was: it is a failure of each rule
// that selects the node, because none of them was evaluated there. Catches nothing for good: who runs readiness does.

import type { NodeView } from '../../objects/node.ts';
import type { FleetView, NodeCapability } from '../../runtime/capability.ts';
import type { Caches } from '../../runtime/ports.ts';
import { decide } from './decide.ts';
import { type Facts, gather, selects } from './gather.ts';
import type { ReadinessMetrics } from './metrics.ts';
import { allRules, type ReadinessSpecs } from './specs.ts';

export type CountedThrows = Pick<NodeCapability<Facts>, 'gather' | 'decide'> & {
  /** From then on it is known whether this replica leads: every replica evaluates, and only the one that leads counts. */
  sees(fleet: Pick<FleetView, 'leadsSince'>): void;
};

export function countThrows(specs: ReadinessSpecs, metrics: Pick<ReadinessMetrics, 'failed'>): CountedThrows {
  let leadsSince: FleetView['leadsSince'] = () => null;
  const counted = <T>(run: () => T, rules: () => Iterable<string>): T => {
    try {
      return run();
    } catch (thrown) {
      if (leadsSince() !== null) for (const rule of safely(rules)) metrics.failed(rule, 'evaluation');
      throw thrown;
    }
  };
  return {
    gather: (caches, node) =>
      counted(
        () => gather(caches, specs, node),
        () => rulesSelecting(caches, specs, node),
      ),
    decide: (facts, now) =>
      counted(
        () => decide(facts, now),
        () => facts.rules.map(({ view }) => view.name),
      ),
    sees: (fleet) => void (leadsSince = () => fleet.leadsSince()),
  };
}

function* rulesSelecting(caches: Caches, specs: ReadinessSpecs, node: NodeView): Generator<string> {
  for (const view of allRules(caches, specs)) if (selects(view, node)) yield view.name;
}

/** What threw may throw here too: then nobody knows whom it concerns, and what was thrown first is what has to be told. */
function safely(rules: () => Iterable<string>): readonly string[] {
  try {
    return [...rules()];
  } catch {
    return [];
  }
}
