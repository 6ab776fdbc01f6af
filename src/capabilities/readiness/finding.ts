// What a rule found on a node, packed into a line of text: with ten rules and ten thousand nodes there are a hundred thousand
// of these in the central state. The reporters unpack them one at a time.

import type { Verdict } from '../../fleet/node-state.ts';
import type { ConditionStatus } from '../../objects/condition.ts';

/** defaulted: missing, and met by its default. stale: too old to count. */
export const marks = ['met', 'unmet', 'missing', 'defaulted', 'stale'] as const;
export type Mark = (typeof marks)[number];

export type ConditionFinding = {
  /** As observed: Unknown when the node lacks the condition. */
  readonly current: ConditionStatus;
  readonly mark: Mark;
};

export type Readiness = 'ready' | 'notReady' | 'unknown';
export type Would = 'add' | 'remove' | 'nothing';

export type Finding = {
  readonly generation: number;
  readonly conditions: readonly ConditionFinding[];
  readonly readiness: Readiness;
  readonly hasTaint: boolean;
  /** The node is not as the rule wants it yet. */
  readonly isPending: boolean;
  readonly isBootstrapped: boolean;
  /** What a dry run would change. */
  readonly would: Would;
};

const statusLetters: Readonly<Record<ConditionStatus, string>> = { True: 'T', False: 'F', Unknown: 'U' };
const markLetters: Readonly<Record<Mark, string>> = {
  met: 's',
  unmet: 'u',
  missing: 'm',
  defaulted: 'd',
  stale: 'o',
};
const readinessLetters: Readonly<Record<Readiness, string>> = { ready: 'r', notReady: 'n', unknown: 'k' };
const wouldLetters: Readonly<Record<Would, string>> = { add: '+', remove: '-', nothing: '0' };

/** `3:TsUm:nP~-0`: generation, two letters per condition, then readiness, taint, pending, bootstrapped, would. */
export function packFinding(finding: Finding): string {
  const conditions = finding.conditions.map(
    ({ current, mark }) => statusLetters[current] + markLetters[mark],
  );
  const rest = [
    readinessLetters[finding.readiness],
    finding.hasTaint ? 'P' : 'A',
    finding.isPending ? '~' : '=',
    finding.isBootstrapped ? 'B' : '-',
    wouldLetters[finding.would],
  ];
  return `${finding.generation}:${conditions.join('')}:${rest.join('')}`;
}

/** Null for a verdict that carries none: a conflict, a held gate, a failure. */
export function findingOf({ detail = '' }: Verdict): Finding | null {
  const [generation = '', conditions = '', rest = ''] = detail.split(':');
  if (rest.length !== 5) return null;
  return {
    generation: Number(generation),
    conditions: Array.from({ length: conditions.length / 2 }, (_, index) => ({
      current: keyOfLetter(statusLetters, conditions.charAt(2 * index), 'Unknown'),
      mark: keyOfLetter(markLetters, conditions.charAt(2 * index + 1), 'missing'),
    })),
    readiness: keyOfLetter(readinessLetters, rest.charAt(0), 'unknown'),
    hasTaint: rest.charAt(1) === 'P',
    isPending: rest.charAt(2) === '~',
    isBootstrapped: rest.charAt(3) === 'B',
    would: keyOfLetter(wouldLetters, rest.charAt(4), 'nothing'),
  };
}

function keyOfLetter<K extends string>(
  letters: Readonly<Record<K, string>>,
  letter: string,
  otherwise: K,
): K {
  for (const key in letters) if (letters[key] === letter) return key;
  return otherwise;
}
