// What a rule that is being deleted still waits for, and what to do about it.

import { disruptionPolicyName } from '../api/keys.ts';
import { type Block, command, words } from './story.ts';

export type DepartureFacts = {
  /** Nodes that still carry its taint, whoever set it; null where the records of the nodes cannot be read. */
  readonly carriers: readonly string[] | null;
  readonly isObserving: boolean;
  /** What the operator says in the status of the rule that it waits for; empty where it has not said so yet. */
  readonly told: string;
};

const SHOWN_CARRIERS_MAX = 5;

export function departureBlocks({ carriers, isObserving, told }: DepartureFacts): readonly Block[] {
  return [
    ...(told === '' ? [] : [words(`The operator says: ${told}.`)]),
    ...(carriers === null ? [] : [words(carrierWords(carriers))]),
    ...(isObserving
      ? [
          words(
            "The authority of the policy is to observe: taints that are not Muster's own stay where they are, and the rule waits. To let it take them away:",
          ),
          command(`kubectl edit dp ${disruptionPolicyName}`),
        ]
      : [words('A running operator takes away what is its own. If nothing moves, is one running?')]),
  ];
}

function carrierWords(carriers: readonly string[]): string {
  const shown = carriers.slice(0, SHOWN_CARRIERS_MAX).join(', ');
  const more =
    carriers.length > SHOWN_CARRIERS_MAX ? ` and ${carriers.length - SHOWN_CARRIERS_MAX} more` : '';
  if (carriers.length === 0) return 'No node carries its taint any more.';
  return `${carriers.length === 1 ? '1 node still carries' : `${carriers.length} nodes still carry`} its taint: ${shown}${more}.`;
}
