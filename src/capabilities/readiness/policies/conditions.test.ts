import { describe, expect, it } from 'vitest';
import { nodeView, type NodeSketch } from '../../../../test/support/node-builder.ts';
import { ruleView } from '../../../../test/support/rule-builder.ts';
import { assessConditions, inThisStateSince } from './conditions.ts';

const noon = Date.UTC(2026, 0, 1, 12);
const requires = (type: string, requiredStatus = 'True', rest: object = {}) => ({
  type,
  requiredStatus,
  ...rest,
});

function assess(spec: object, conditions: NodeSketch['conditions'] = {}) {
  const { rule } = ruleView({ spec });
  if (rule === null) throw new Error('the rule is good');
  return {
    rule,
    node: nodeView({ conditions }),
    assessment: assessConditions(rule, nodeView({ conditions }), noon),
  };
}

describe('the requirements of a rule', () => {
  it.each<[string, object, NodeSketch['conditions'], string, string]>([
    ['are met by the status that they ask for', { conditions: [requires('A')] }, { A: 'True' }, 'ready', 's'],
    ['are not met by another status', { conditions: [requires('A')] }, { A: 'False' }, 'notReady', 'u'],
    ['are unknown while the condition is missing', { conditions: [requires('A')] }, {}, 'unknown', 'm'],
    [
      'are met by absence where Unknown is asked for',
      { conditions: [requires('A', 'Unknown')] },
      {},
      'ready',
      'd',
    ],
    [
      'are not met by an Unknown that is said',
      { conditions: [requires('A')] },
      { A: 'Unknown' },
      'notReady',
      'u',
    ],
    [
      'are met by a default while the condition is missing',
      { conditions: [requires('A', 'False', { defaultStatus: 'False' })] },
      {},
      'ready',
      'd',
    ],
    [
      'are not met by a default once the condition is there',
      { conditions: [requires('A', 'False', { defaultStatus: 'False' })] },
      { A: 'True' },
      'notReady',
      'u',
    ],
    [
      'are all of them by default',
      { conditions: [requires('A'), requires('B')] },
      { A: 'True' },
      'unknown',
      'sm',
    ],
    [
      'are any of them with anyOf',
      { conditions: [requires('A'), requires('B')], conditionPolicy: 'anyOf' },
      { A: 'True' },
      'ready',
      'sm',
    ],
    [
      'are looked at one by one, also after the first failure',
      { conditions: [requires('A'), requires('B'), requires('C')] },
      { A: 'False', C: 'True' },
      'unknown',
      'ums',
    ],
  ])('%s', (_, spec, conditions, readiness, marks) => {
    const { assessment } = assess(spec, conditions);
    const letters: Record<string, string> = {
      met: 's',
      unmet: 'u',
      missing: 'm',
      defaulted: 'd',
      stale: 'o',
    };
    expect([assessment.readiness, assessment.findings.map(({ mark }) => letters[mark]).join('')]).toEqual([
      readiness,
      marks,
    ]);
  });

  it('say which condition is not as it must be', () => {
    const { assessment } = assess({ conditions: [requires('A'), requires('B')] }, { A: 'False' });
    expect([assessment.reason, assessment.message]).toEqual([
      'ConditionUnsatisfied',
      'A is False and must be True; B is missing',
    ]);
  });
});

describe('a condition that may age', () => {
  const spec = { conditions: [requires('A')], maxConditionAge: '10m' };

  it.each<[string, string, string, number | null]>([
    [
      'counts while its heartbeat is young, and is looked at again',
      '2026-01-01T11:55:00Z',
      'ready',
      noon + 300_000,
    ],
    ['does not count when its heartbeat is old', '2026-01-01T11:50:00Z', 'notReady', null],
    ['does not count without a heartbeat', '', 'notReady', null],
    ['does not count with a heartbeat of tomorrow', '2026-01-02T12:00:00Z', 'notReady', null],
    [
      'counts with a heartbeat of a clock that is a little ahead',
      '2026-01-01T12:00:30Z',
      'ready',
      noon + 630_000,
    ],
  ])('%s', (_, heartbeat, readiness, staleAt) => {
    const { assessment } = assess(spec, { A: { status: 'True', heartbeat } });
    expect([assessment.readiness, assessment.staleAt]).toEqual([readiness, staleAt]);
  });
});

describe('the time since which requirements are met or unmet', () => {
  const both = { conditions: [requires('A'), requires('B')] };
  const at = (time: string, status = 'True') => ({ status, since: `2026-01-01T${time}:00Z` });
  const any = { ...both, conditionPolicy: 'anyOf' };

  it.each<[string, object, NodeSketch['conditions'], string]>([
    ['is when the last was met, if all must be', both, { A: at('01:00'), B: at('02:00') }, '02:00'],
    ['is when the first was met, if one suffices', any, { A: at('01:00'), B: at('02:00') }, '01:00'],
    [
      'is when the first failed, if all must be met',
      both,
      { A: at('01:00', 'False'), B: at('02:00', 'False') },
      '01:00',
    ],
    [
      'is when the last failed, if one suffices',
      any,
      { A: at('01:00', 'False'), B: at('02:00', 'False') },
      '02:00',
    ],
    ['leaves out what does not support it', both, { A: at('03:00'), B: at('02:00', 'False') }, '02:00'],
  ])('%s', (_, spec, conditions, time) => {
    const { rule, node, assessment } = assess(spec, conditions);
    const since = inThisStateSince(rule, node, { ...assessment, now: noon });
    expect(since).toBe(Date.parse(`2026-01-01T${time}:00Z`));
  });

  it.each([
    ['is when it grew too old, if nobody confirms it', 'True', '11:40', '11:50'],
    ['is when it was said, if it was bad before it grew old', 'False', '11:40', '01:00'],
    ['is when it was said, if its heartbeat is of tomorrow', 'True', '36:00', '01:00'],
    ['is when it was said, if there never was a heartbeat', 'True', null, '01:00'],
  ])('%s', (_, status, heartbeat, wanted) => {
    const time = (text: string) => Date.UTC(2026, 0, 1, Number(text.slice(0, 2)), Number(text.slice(3)));
    const { rule, node, assessment } = assess(
      { maxConditionAge: '10m', conditions: [requires('A')] },
      {
        A: {
          status,
          since: '2026-01-01T01:00:00Z',
          heartbeat: heartbeat === null ? '' : new Date(time(heartbeat)).toISOString(),
        },
      },
    );
    expect(assessment.findings).toMatchObject([{ mark: 'stale' }]);
    expect(inThisStateSince(rule, node, { ...assessment, now: noon })).toBe(time(wanted));
  });

  it.each([
    ['is now where clocks differ a little', '12:01', noon],
    ['is long ago where a time from the future says nothing', '13:00', 0],
  ])('%s', (_, time, wanted) => {
    const { rule, node, assessment } = assess(
      { conditions: [requires('A')] },
      { A: { status: 'True', since: `2026-01-01T${time}:00Z` } },
    );
    expect(inThisStateSince(rule, node, { ...assessment, now: noon })).toBe(wanted);
  });
});
