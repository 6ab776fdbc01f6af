// How large a run of the readiness bench is, read from its flags. Every number that a person may ask for has a bound.

import type { Flag, FlagValues } from '../bench.ts';
import { chartHeapMiB } from '../chart-flags.ts';
import { wholeNumber } from '../flag-values.ts';
import { canPin } from '../processes.ts';
import { type Front, fronts } from '../../src/fleet/readiness-rule.ts';

export type Plan = {
  readonly nodes: number;
  readonly rules: number;
  /** The kind in which the rules of the operator are written. */
  readonly ruleKind: Front;
  /** On the embedded API server instead of a real control plane. */
  readonly isEmbedded: boolean;
  /** The control plane has a core of its own: who patches nodes takes nothing of its time. */
  readonly isApart: boolean;
  /** Node patches of the bare client that are under way at once; the operator's own number is the same. */
  readonly concurrency: number;
  /** Flips of single nodes on a calm fleet, there and back. */
  readonly singles: number;
  readonly churnPerSecond: number;
  readonly quietSeconds: number;
  /** How long nothing must have been written before the fleet is at rest: longer than anything is put off, which is a minute. */
  readonly calmSeconds: number;
  /** How often everything is listed again at the end. */
  readonly relists: number;
  /** How often a phase is played at most, where others had much of the machine. */
  readonly tries: number;
  /** A second size, to compare what one node costs; null for none. */
  readonly compareWith: number | null;
  /** Another controller for the same rules, run in turn; null for none. */
  readonly peerCommand: string | null;
  /** Of the operator and the bare client; that of the chart does for some thousand nodes. */
  readonly heapMiB: number;
  /** Where profiles of the operator go; null for none. */
  readonly profileDir: string | null;
  readonly areBudgetsChecked: boolean;
};

export const planFlags = {
  toy: { type: 'boolean', help: 'one short run with 20 nodes, budgets not checked' },
  nodes: { type: 'string', help: 'how many nodes, 1 to 50,000 (default 1,000)' },
  rules: { type: 'string', help: 'how many rules, each for all nodes, 1 to 20 (default 1)' },
  'rule-kind': {
    type: 'string',
    help: `the kind of the operator's rules, ${fronts.join(' or ')} (default: the first; with --peer-cmd the second, which is the peer's)`,
  },
  embedded: {
    type: 'boolean',
    help: 'on the embedded API server: for sizes that need more than this machine',
  },
  'shared-cores': {
    type: 'boolean',
    help: 'let the control plane and everybody else share all cores, instead of one for it and the rest for them',
  },
  'compare-with': { type: 'string', help: 'a second size: what one node costs must not depend on the size' },
  'peer-cmd': {
    type: 'string',
    help: 'another controller of NodeReadinessRule, run in turn; KUBECONFIG is set',
  },
  'quiet-seconds': {
    type: 'string',
    help: 'how long nothing may be written at the end, 1 to 600 (default 60)',
  },
  relists: {
    type: 'string',
    help: 'how often the API server is started again at the end, so that all is listed anew, 1 to 20 (default 5)',
  },
  tries: {
    type: 'string',
    help: 'how often a phase is played at most while others use the machine, 1 to 6 (default 6)',
  },
  singles: { type: 'string', help: 'how many nodes flip one by one, 1 to 1,000 (default 50)' },
  'heap-mib': {
    type: 'string',
    help: 'heap of the operator and of the bare client, at most 4,096 (default: heapMiB of the chart)',
  },
  'cpu-prof': { type: 'string', help: 'a folder for a profile of the operator (the figures suffer)' },
} as const satisfies Readonly<Record<string, Flag>>;

const nodesMax = 50_000;
const full = { nodes: 1_000, quietSeconds: 60, calmSeconds: 65, singles: 50, relists: 5 };
const toy = { nodes: 20, quietSeconds: 2, calmSeconds: 2, singles: 2, relists: 1 };

export function planOf(values: FlagValues): Plan {
  const isToy = values['toy'] === true;
  const size = isToy ? toy : full;
  const nodes = wholeNumber(values, 'nodes', { default: size.nodes, max: nodesMax });
  return {
    nodes,
    rules: wholeNumber(values, 'rules', { default: 1, max: 20 }),
    ruleKind: ruleKindOf(values),
    isEmbedded: values['embedded'] === true,
    isApart: values['embedded'] !== true && values['shared-cores'] !== true && canPin(),
    concurrency: 32,
    singles: Math.min(nodes, wholeNumber(values, 'singles', { default: size.singles, max: 1_000 })),
    churnPerSecond: 20,
    quietSeconds: wholeNumber(values, 'quiet-seconds', { default: size.quietSeconds, max: 600 }),
    calmSeconds: size.calmSeconds,
    relists: wholeNumber(values, 'relists', { default: size.relists, max: 20 }),
    tries: wholeNumber(values, 'tries', { default: 6, max: 6 }),
    compareWith:
      values['compare-with'] === undefined
        ? null
        : wholeNumber(values, 'compare-with', { default: nodes, max: nodesMax }),
    peerCommand: textOrNull(values['peer-cmd']),
    heapMiB: wholeNumber(values, 'heap-mib', { default: chartHeapMiB(), max: 4_096 }),
    profileDir: textOrNull(values['cpu-prof']),
    areBudgetsChecked: !isToy,
  };
}

/** Two controllers are compared by the same kind of rules. */
function ruleKindOf(values: FlagValues): Front {
  const asked = values['rule-kind'] ?? fronts[textOrNull(values['peer-cmd']) === null ? 0 : 1];
  const kind = fronts.find((front) => front === asked);
  if (kind === undefined)
    throw new Error(`--rule-kind must be ${fronts.join(' or ')}, not ${String(asked)}.`);
  return kind;
}

function textOrNull(value: FlagValues[string]): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
