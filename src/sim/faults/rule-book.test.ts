import { describe, expect, it } from 'vitest';
import type { FaultMatch } from './rule.ts';
import { type Happening, RuleBook } from './rule-book.ts';

const happening: Happening = {
  verb: 'patch',
  phase: 'beforeForward',
  resource: 'nodes',
  name: 'a',
  instance: 'a#1',
};

const action = { kind: 'touch' } as const;

/** In which of so many equal happenings the rule strikes. */
function strikes(
  match: Partial<FaultMatch>,
  times: number,
  what: Partial<Happening> = {},
): readonly number[] {
  const rule = { match: { verb: 'patch', phase: 'beforeForward', ...match }, action } as const;
  const book = new RuleBook([rule], () => {});
  return Array.from({ length: times }, (_, index) => index + 1).filter(
    () => book.strike({ ...happening, ...what }).length > 0,
  );
}

describe('a rule', () => {
  it.each<[string, Partial<FaultMatch>, readonly number[]]>([
    ['the first time when nothing else is said', {}, [1]],
    ['the time that it names', { nth: 3 }, [3]],
    ['several times in a row', { nth: 2, times: 2 }, [2, 3]],
  ])('strikes %s', (_sentence, match, expected) => {
    expect(strikes(match, 5)).toEqual(expected);
  });

  it.each<[string, Partial<FaultMatch>, Partial<Happening>, boolean]>([
    ['any write', { verb: 'write' }, { verb: 'delete' }, true],
    ['no read for a write', { verb: 'write' }, { verb: 'get' }, false],
    ['any call', { verb: 'any' }, { verb: 'list' }, true],
    ['no event for any call', { verb: 'any' }, { verb: 'event' }, false],
    ['only its resource', { resource: 'leases' }, {}, false],
    ['only its object', { name: 'b' }, {}, false],
    ['only its instance', { instance: 'a#2' }, {}, false],
    ['only its phase', { phase: 'afterReply' }, {}, false],
  ])('meets %s', (_sentence, match, what, isMet) => {
    expect(strikes(match, 1, what)).toEqual(isMet ? [1] : []);
  });
});
