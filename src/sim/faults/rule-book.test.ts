import { describe, expect, it } from 'vitest';
import type { FaultMatch, FaultRule, Life } from './rule.ts';
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

describe('a rule that follows the one before it', () => {
  const crash = { kind: 'crash', restartAfterMs: 1_000 } as const;
  const first: FaultRule = { match: { verb: 'patch', phase: 'afterForward' }, action: crash };

  /** Which of these, in this order, the second rule strikes. */
  function follows(life: Life, instances: readonly string[]): readonly string[] {
    const second: FaultRule = { match: { verb: 'event', phase: 'beforeForward', life, times: 9 }, action };
    const book = new RuleBook([first, second], () => {});
    return instances.filter((instance) => {
      const isCall = instance.startsWith('patch ');
      const what: Partial<Happening> = isCall
        ? { phase: 'afterForward', instance: instance.slice('patch '.length) }
        : { verb: 'event', instance };
      return book.strike({ ...happening, ...what }).includes(action);
    });
  }

  it.each<[string, Life, readonly string[], readonly string[]]>([
    ['nobody before that one strikes', 'next', ['a#1', 'a#2', 'b#2'], []],
    ['the next life of the replica that was struck', 'next', ['patch b#1', 'a#2', 'b#1', 'b#2'], ['b#2']],
    ['no life after the next one', 'next', ['patch a#1', 'a#3'], []],
    ['any life but the struck one', 'other', ['c#1', 'patch b#1', 'b#1', 'a#1', 'b#2'], ['a#1', 'b#2']],
  ])('strikes %s', (_sentence, life, instances, expected) => {
    expect(follows(life, instances)).toEqual(expected);
  });
});
