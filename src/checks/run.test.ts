import { describe, expect, it } from 'vitest';
import { manualClock, type ManualClock } from '../../test/support/manual-clock.ts';
import type { CheckResult } from '../base/worker-report.ts';
import { fail, inconclusive, type Outcome, pass } from './outcome.ts';
import type { PlannedCheck } from './plan.ts';
import { runPlan, verdictOf } from './run.ts';
import type { World } from './world.ts';

function planned(run: PlannedCheck['run'], overrides: Partial<PlannedCheck> = {}): PlannedCheck {
  return { id: 'a', severity: 'required', timeoutMs: 5000, triesMax: 3, run, ...overrides };
}

/** What these checks do to the world is nothing. */
const worldWith = (clock: ManualClock) => ({ clock }) as Partial<World> as World;

const inTurn = (...outcomes: readonly Outcome[]) => {
  const left = [...outcomes];
  return async () => left.shift() ?? pass('');
};
const never = () => new Promise<Outcome>(() => {});

function start(plan: readonly PlannedCheck[]) {
  const clock = manualClock();
  const stop = new AbortController();
  const results = runPlan({ plan, world: worldWith(clock), stop: stop.signal });
  return { clock, stop, results };
}

async function only(results: Promise<readonly CheckResult[]>): Promise<CheckResult | undefined> {
  return (await results)[0];
}

describe('a run of checks', () => {
  it('tries a failing check three times, a second apart, and believes the last', async () => {
    const { clock, results } = start([
      planned(inTurn(fail('Timeout', ''), fail('Reset', ''), fail('Refused', 'no'))),
    ]);
    await clock.advance(2000);
    expect(await only(results)).toMatchObject({ verdict: 'fail', code: 'Refused', tries: 3, ms: 2000 });
  });

  it('passes a check that passes on its second try', async () => {
    const { clock, results } = start([planned(inTurn(fail('Timeout', ''), pass('there')))]);
    await clock.advance(1000);
    expect(await only(results)).toMatchObject({ verdict: 'pass', code: '', tries: 2 });
  });

  it('runs all checks at once and reports all of them in order', async () => {
    const plan = [
      planned(never, { id: 'hangs', triesMax: 1, timeoutMs: 3000 }),
      planned(async () => fail('Refused', ''), { id: 'fails', triesMax: 1 }),
      planned(async () => pass(''), { id: 'passes' }),
    ];
    const { clock, results } = start(plan);
    await clock.advance(3200);
    const verdicts = (await results).map(({ id, verdict, code }) => [id, verdict, code]);
    expect(verdicts).toEqual([
      ['hangs', 'fail', 'Timeout'],
      ['fails', 'fail', 'Refused'],
      ['passes', 'pass', ''],
    ]);
  });

  it('ends a check that ignores its signal a moment after its time', async () => {
    const { clock, results } = start([planned(never, { triesMax: 1 })]);
    await clock.advance(5200);
    expect(await only(results)).toMatchObject({ verdict: 'fail', code: 'Timeout', ms: 5200 });
  });

  it('blames nobody for a check that throws', async () => {
    const broken = async (): Promise<Outcome> => {
      throw new TypeError('x is not a function');
    };
    const { results } = start([planned(broken, { triesMax: 1 })]);
    expect(await only(results)).toMatchObject({
      verdict: 'inconclusive',
      code: 'InternalError',
      message: 'x is not a function',
    });
  });

  it('blames nobody when the worker itself got no processor time', async () => {
    const clock = manualClock();
    let isLate = false;
    const lagging = { ...clock, monotonicMs: () => clock.monotonicMs() + (isLate ? 9000 : 0) };
    const run = async () => {
      isLate = true;
      return fail('Timeout', 'no answer');
    };
    const plan = [planned(run, { triesMax: 1 })];
    const results = runPlan({
      plan,
      world: { clock: lagging } as Partial<World> as World,
      stop: new AbortController().signal,
    });
    expect(await only(results)).toMatchObject({ verdict: 'inconclusive', code: 'Starved' });
  });

  it.each([
    ['during a try', 100],
    ['between two tries', 1500],
  ])('marks what was stopped %s as interrupted and keeps what had passed', async (_when, stopAtMs) => {
    const slow = async (context: Parameters<PlannedCheck['run']>[0]) => {
      const { clock, limits } = context;
      await new Promise<void>((resolve) => {
        clock.after(1000, resolve);
        limits.signal.addEventListener('abort', () => resolve());
      });
      return fail('Refused', '');
    };
    const { clock, stop, results } = start([planned(slow), planned(async () => pass(''), { id: 'b' })]);
    await clock.advance(stopAtMs);
    stop.abort(new Error('SIGTERM'));
    expect((await results).map(({ verdict, code }) => [verdict, code])).toEqual([
      ['inconclusive', 'Interrupted'],
      ['pass', ''],
    ]);
  });

  it('leaves no timer of the checks behind', async () => {
    const { clock, results } = start([planned(async () => pass(''))]);
    await results;
    expect(clock.pendingTimers()).toBe(0);
  });
});

describe('the verdict', () => {
  const result = (
    verdict: CheckResult['verdict'],
    severity: CheckResult['severity'] = 'required',
  ): CheckResult => ({
    id: verdict,
    code: '',
    message: '',
    ms: 0,
    tries: 1,
    verdict,
    severity,
  });

  it.each([
    ['passes when all pass', [result('pass')], true, 'pass'],
    [
      'fails when one required check fails',
      [result('pass'), result('fail'), result('inconclusive')],
      true,
      'fail',
    ],
    [
      'is inconclusive when a required check is',
      [result('pass'), result('inconclusive')],
      true,
      'inconclusive',
    ],
    ['does not mind an advisory failure', [result('pass'), result('fail', 'advisory')], true, 'pass'],
    ['is inconclusive when the run was cut short', [result('fail')], false, 'inconclusive'],
  ] as const)('%s', (_sentence, results, isComplete, verdict) => {
    expect(verdictOf(results, isComplete)).toBe(verdict);
  });

  it('is not moved by an inconclusive outcome of an advisory check', () => {
    expect(verdictOf([result('inconclusive', 'advisory')], true)).toBe('pass');
    expect(inconclusive('NoDate', 'x')).toEqual({ kind: 'inconclusive', code: 'NoDate', message: 'x' });
  });
});
