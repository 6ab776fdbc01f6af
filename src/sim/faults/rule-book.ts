// The rules of one run and how often each was met: answers what strikes a happening. A rule that has struck often enough is
// spent. Whoever injects faults keeps one, whether it simulates the API server or stands before a real one.

import type { FaultAction, FaultMatch, FaultRule, Phase, Verb } from './rule.ts';

/** One thing at the narrow waist between an operator and its API server, in one phase. */
export type Happening = {
  readonly verb: Exclude<Verb, 'write' | 'any'>;
  readonly phase: Phase;
  readonly resource: string;
  readonly name: string;
  readonly instance: string;
};

const writes: ReadonlySet<Verb> = new Set(['create', 'replace', 'patch', 'delete']);

export function isWriteVerb(verb: Verb): boolean {
  return writes.has(verb);
}

export class RuleBook {
  readonly #rules: readonly { readonly rule: FaultRule; met: number }[];
  readonly #onStrike: (rule: FaultRule, happening: Happening) => void;

  constructor(rules: readonly FaultRule[], onStrike: (rule: FaultRule, happening: Happening) => void) {
    this.#rules = rules.map((rule) => ({ rule, met: 0 }));
    this.#onStrike = onStrike;
  }

  strike(happening: Happening): readonly FaultAction[] {
    const struck: FaultAction[] = [];
    for (const entry of this.#rules) {
      const { match, action } = entry.rule;
      if (!isMatch(match, happening)) continue;
      entry.met++;
      const { nth = 1, times = 1 } = match;
      if (entry.met < nth || entry.met >= nth + times) continue;
      this.#onStrike(entry.rule, happening);
      struck.push(action);
    }
    return struck;
  }
}

function isMatch(match: FaultMatch, happening: Happening): boolean {
  return (
    match.phase === happening.phase &&
    isVerb(match.verb, happening.verb) &&
    (match.resource === undefined || match.resource === happening.resource) &&
    (match.name === undefined || match.name === happening.name) &&
    (match.instance === undefined || match.instance === happening.instance)
  );
}

function isVerb(wanted: Verb, verb: Happening['verb']): boolean {
  if (wanted === verb) return true;
  if (wanted === 'write') return isWriteVerb(verb);
  return wanted === 'any' && verb !== 'event';
}
