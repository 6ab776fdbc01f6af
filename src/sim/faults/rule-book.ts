// The rules of one run and how often each was met: answers what strikes a happening. A rule that has struck often enough is
// spent. Whoever injects faults keeps one, whether it simulates the API server or stands before a real one.

import type { FaultAction, FaultMatch, FaultRule, Life, Phase, Verb } from './rule.ts';

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

/** A rule, how often it was met, and the last life that it struck. */
type Entry = { readonly rule: FaultRule; met: number; struck: string | null };

export class RuleBook {
  readonly #entries: readonly Entry[];
  readonly #onStrike: (rule: FaultRule, happening: Happening) => void;

  constructor(rules: readonly FaultRule[], onStrike: (rule: FaultRule, happening: Happening) => void) {
    this.#entries = rules.map((rule) => ({ rule, met: 0, struck: null }));
    this.#onStrike = onStrike;
  }

  strike(happening: Happening): readonly FaultAction[] {
    const struck: FaultAction[] = [];
    for (const [index, entry] of this.#entries.entries()) {
      const { match, action } = entry.rule;
      const before = this.#entries[index - 1]?.struck ?? null;
      if (!isMatch(match, happening) || !isLife(match.life, before, happening.instance)) continue;
      entry.met++;
      const { nth = 1, times = 1 } = match;
      if (entry.met < nth || entry.met >= nth + times) continue;
      entry.struck = happening.instance;
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

function isLife(wanted: Life | undefined, struck: string | null, instance: string): boolean {
  if (wanted === undefined) return true;
  if (struck === null) return false;
  return wanted === 'next' ? instance === lifeAfter(struck) : instance !== struck;
}

/** `a#2` of `a#1`. */
function lifeAfter(instance: string): string {
  const [slot = '', life = ''] = instance.split('#');
  return `${slot}#${Number(life) + 1}`;
}
