import { describe, expect, it } from 'vitest';
import { formatProblem } from '../../base/result.ts';
import { parsePlan, parsePlanText } from './parse-plan.ts';

const match = { verb: 'patch', phase: 'afterForward', resource: 'nodes', name: 'a', nth: 2 };
const whole = { leaders: 2, rules: [{ match, action: { kind: 'crash', restartAfterMs: 1_000 } }] };

const follower = (life: string) => ({ match: { ...match, life }, action: { kind: 'touch' } });

function problemsOf(value: unknown): readonly string[] {
  const plan = parsePlan(value);
  return plan.kind === 'ok' ? [] : plan.error.map(formatProblem);
}

describe('a plan of faults', () => {
  it('is read as it was written', () => {
    expect(parsePlanText(JSON.stringify(whole))).toEqual({ kind: 'ok', value: whole });
  });

  it.each<[string, unknown]>([
    ['an action of its own', { kind: 'status', code: 429, retryAfterSeconds: 1 }],
    ['a cut', { kind: 'cut', ending: 'expiredEvent' }],
    ['a step back of the clock', { kind: 'clock', byMs: -3_600_000 }],
    ['a clock that is always behind', { kind: 'skew', byMs: -600_000 }],
    ['a clock that runs too fast', { kind: 'rate', percent: 200 }],
    ['an action without fields', { kind: 'touch' }],
  ])('may hold %s', (_sentence, action) => {
    expect(problemsOf({ rules: [{ match, action }] })).toEqual([]);
  });

  it('may hold a rule that follows the one before it', () => {
    expect(problemsOf({ rules: [...whole.rules, follower('next'), follower('other')] })).toEqual([]);
  });

  it.each<[string, unknown, string]>([
    ['no list', {}, 'rules: is missing'],
    ['a field nobody knows', { rules: [], seed: 1 }, 'seed: is not known here'],
    [
      'a verb nobody knows',
      { rules: [{ match: { ...match, verb: 'pat' }, action: { kind: 'touch' } }] },
      'rules[0].match.verb: must be one of',
    ],
    [
      'an action nobody knows',
      { rules: [{ match, action: { kind: 'explode' } }] },
      'rules[0].action.kind: must be one of',
    ],
    [
      'an action without what it needs',
      { rules: [{ match, action: { kind: 'delay' } }] },
      'rules[0].action.ms: is missing',
    ],
    [
      'an action with what is not its own',
      { rules: [{ match, action: { kind: 'touch', ms: 1 } }] },
      'rules[0].action.ms: is not known here',
    ],
    [
      'a clock that stands still',
      { rules: [{ match, action: { kind: 'rate', percent: 0 } }] },
      'rules[0].action.percent: must be',
    ],
    [
      'a life nobody knows',
      { rules: [{ match, action: { kind: 'touch' } }, follower('former')] },
      'rules[1].match.life: must be one of next, other',
    ],
    [
      'a life that follows no rule',
      { rules: [follower('next')] },
      'rules[0].match.life: needs a rule before this one',
    ],
    [
      'a match from zero',
      { rules: [{ match: { ...match, nth: 0 }, action: { kind: 'touch' } }] },
      'rules[0].match.nth: must be',
    ],
    [
      'a status of success',
      { rules: [{ match, action: { kind: 'status', code: 200 } }] },
      'rules[0].action.code: must be',
    ],
  ])('is refused with %s', (_sentence, value, problem) => {
    expect(problemsOf(value)).toEqual([expect.stringContaining(problem)]);
  });

  it('is refused when it is no JSON', () => {
    expect(parsePlanText('{')).toMatchObject({ kind: 'error' });
  });
});
