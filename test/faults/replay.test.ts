import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { parsePlanText } from '../../src/sim/faults/parse-plan.ts';
import { fingerprintOf } from './fingerprint.ts';
import { Harness } from './harness.ts';
import { type LaunchOperator, launchOperator } from './operator.ts';
import { scenarios } from './scenarios.ts';
import { births } from './scenarios/births.ts';
import { leaderChange } from './scenarios/leader-change.ts';

const timeout = 240_000;
const main = join(import.meta.dirname, 'main.ts');

const shared = new Harness(launchOperator);

type Ended = { readonly code: number; readonly stdout: string; readonly stderr: string };

/** What the command prints, whatever its exit code. */
async function faults(...args: readonly string[]): Promise<Ended> {
  return promisify(execFile)(process.execPath, [main, ...args], { maxBuffer: 2 ** 24 }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }: Ended) => ({ code, stdout, stderr }),
  );
}

describe('one seed', () => {
  it('makes the same run a hundred times out of a hundred', { timeout }, async () => {
    const harness = new Harness(launchOperator);
    const { plan, seed } = await harness.random(births, 11);
    const hashes = new Set<string>();
    for (let time = 0; time < 100; time++) hashes.add(fingerprintOf(await harness.run(births, seed, plan)));
    expect(hashes.size).toBe(1);
  });

  it.each(scenarios)('makes the same run of $name twice', { timeout }, async (scenario) => {
    const { plan, seed } = await shared.random(scenario, 11);
    const hashes = new Set<string>();
    for (let time = 0; time < 2; time++) hashes.add(fingerprintOf(await shared.run(scenario, seed, plan)));
    expect(hashes.size).toBe(1);
  });

  it('makes another run than another seed, with an election too', { timeout }, async () => {
    const harness = new Harness(launchOperator);
    const hashes = new Set<string>();
    for (const seed of [1, 1, 2, 2, 3])
      hashes.add(fingerprintOf(await harness.run(leaderChange, seed, { rules: [] })));
    expect(hashes.size).toBe(3);
  });
});

describe('the hash of a run', () => {
  it('differs where only the content of a write does', { timeout }, async () => {
    // Two runs of an operator that writes something by lot.
    let drawn = 0;
    const byLot: LaunchOperator = (launch) => {
      const { api } = launch;
      const create: typeof api.create = (ref, body, options) => {
        const { metadata = {} } = body;
        const annotations = { ...metadata.annotations, lot: String(drawn++) };
        return api.create(ref, { ...body, metadata: { ...metadata, annotations } }, options);
      };
      return launchOperator({ ...launch, api: { ...api, create } });
    };
    const harness = new Harness(byLot);
    const [one, two] = [
      await harness.run(births, 0, { rules: [] }),
      await harness.run(births, 0, { rules: [] }),
    ];
    expect(one.trace.lines()).toEqual(two.trace.lines());
    expect(fingerprintOf(one)).not.toBe(fingerprintOf(two));
  });

  it('differs where only the audit log does', { timeout }, async () => {
    const run = await new Harness(launchOperator).run(births, 0, { rules: [] });
    expect(run.audits).not.toEqual([]);
    const [first, ...rest] = run.audits;
    const audits = [{ instance: first?.instance ?? '', fields: { ...first?.fields, more: 1 } }, ...rest];
    expect(fingerprintOf({ ...run, audits })).not.toBe(fingerprintOf(run));
  });
});

describe('a failing seed', () => {
  it('is reported in its shortest form, with a trace, and its command replays it', {
    timeout: 120_000,
  }, async () => {
    const planted = ['--mutant', 'forgets-late-writes', '--scenario', 'owned-record'];
    const found = await faults(...planted, '--family', 'random', '--seeds', '40');
    expect(found.code).toBe(1);
    expect(found.stdout).toMatch(/a#\d .*patch nodes\/[ab]: ok @\d+/);
    const command = /npm run test:faults -- (.*) --faults '(.*)'/.exec(found.stdout);
    const [flags = '', plan = ''] = command?.slice(1) ?? [];
    expect(flags).toMatch(/--scenario owned-record --seed \d+ --mutant forgets-late-writes/);
    const shortest = parsePlanText(plan);
    expect(shortest).toMatchObject({ kind: 'ok' });
    // A crash and the start on an old state after it are two rules of one fault, beside the write that comes too late.
    expect(shortest.kind === 'ok' ? shortest.value.rules.length : null).toBeLessThanOrEqual(3);
    const again = [
      await faults(...flags.split(' '), '--faults', plan),
      await faults(...flags.split(' '), '--faults', plan),
    ];
    expect(again.map(({ code }) => code)).toEqual([1, 1]);
    expect(again[0]?.stdout).toMatch(/I5 no gate bypass|I7 stable convergence/);
    expect(again[0]?.stdout).toBe(again[1]?.stdout);
  });
});

describe('the command', () => {
  const births1 = ['--scenario', 'births', '--seed'];

  it('prints the plan that was drawn for a seed, and how much of it struck', { timeout }, async () => {
    const { code, stdout } = await faults(...births1, '7');
    expect({ code, stdout }).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/\d+ of \d+ rules struck/),
    });
    const plan = /--scenario births --seed 7 --faults '(.*)'/.exec(stdout)?.[1] ?? '';
    const again = await faults(...births1, '7', '--faults', plan);
    expect(again.stdout).toBe(stdout);
  });

  it('fails when the plan that it is given meets nothing', { timeout }, async () => {
    const rule = { match: { verb: 'patch', phase: 'afterReply', name: 'nobody' }, action: { kind: 'reset' } };
    const { code, stdout, stderr } = await faults(
      ...births1,
      '0',
      '--faults',
      JSON.stringify({ rules: [rule] }),
    );
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('the plan met nothing'),
    });
    expect(stdout).toContain('0 of 1 rules struck');
  });

  it('refuses a report that it could not write before it runs anything', { timeout }, async () => {
    const { code, stdout, stderr } = await faults('--report', '/nowhere/at/all/counts.json');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('--report /nowhere/at/all/counts.json: there is no folder /nowhere/at/all');
  });

  it('says what each flag is for', { timeout }, async () => {
    const { code, stdout } = await faults('--help');
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('--minutes <count>') });
  });

  it('stands for nothing when no run was done', { timeout }, async () => {
    const { code, stderr } = await faults('--scenario', 'births', '--minutes', '0');
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('--minutes') });
  });
});
