import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { parsePlanText } from '../../src/sim/faults/parse-plan.ts';
import { Harness } from './harness.ts';
import { launchOperator } from './operator.ts';
import { births } from './scenarios/births.ts';
import { leaderChange } from './scenarios/leader-change.ts';

const timeout = 240_000;
const main = join(import.meta.dirname, 'main.ts');

/** What the command prints, whatever its exit code. */
async function faults(...args: readonly string[]) {
  return promisify(execFile)(process.execPath, [main, ...args], { maxBuffer: 2 ** 24 }).then(
    ({ stdout }) => ({ code: 0, stdout }),
    (error: { code: number; stdout: string }) => ({ code: error.code, stdout: error.stdout }),
  );
}

describe('one seed', () => {
  it('makes the same run a hundred times out of a hundred', { timeout }, async () => {
    const harness = new Harness(launchOperator);
    const { plan, seed } = await harness.random(births, 11);
    const hashes = new Set<string>();
    for (let time = 0; time < 100; time++) hashes.add((await harness.run(births, seed, plan)).trace.hash());
    expect(hashes.size).toBe(1);
  });

  it('makes another run than another seed, with an election too', { timeout }, async () => {
    const harness = new Harness(launchOperator);
    const hashes = new Set<string>();
    for (const seed of [1, 1, 2, 2, 3])
      hashes.add((await harness.run(leaderChange, seed, { rules: [] })).trace.hash());
    expect(hashes.size).toBe(3);
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
