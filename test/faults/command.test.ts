import { describe, expect, it } from 'vitest';
import { helpText, type Known, parseCommand } from './command.ts';

const known: Known = {
  scenario: ['births', 'contest'],
  family: ['none', 'crash', 'stale start', 'random'],
  mutant: ['forgets'],
};

function problemsOf(...args: readonly string[]): readonly string[] {
  const command = parseCommand(args, known);
  return command.kind === 'ok' ? [] : command.error;
}

const noPlan = '{"rules":[]}';

describe('the command line of the faults', () => {
  it('without flags is all of it', () => {
    expect(parseCommand([], known)).toMatchObject({
      kind: 'ok',
      value: { kind: 'campaign', scenario: null, family: null, seeds: 1_000, minutes: null, report: null },
    });
  });

  it('with a seed is one run, whose faults are drawn unless they are given', () => {
    const one = ['--scenario', 'births', '--seed', '7'];
    expect(parseCommand(one, known)).toMatchObject({ value: { kind: 'replay', seed: 7, plan: null } });
    expect(parseCommand([...one, '--faults', noPlan, '--trace'], known)).toMatchObject({
      value: { kind: 'replay', seed: 7, plan: { rules: [] }, isTraced: true },
    });
  });

  it('draws random schedules only where they are wanted', () => {
    const seedsOf = (...args: readonly string[]) => parseCommand(args, known);
    expect(seedsOf('--family', 'crash')).toMatchObject({ value: { seeds: 0 } });
    expect(seedsOf('--family', 'random')).toMatchObject({ value: { seeds: 1_000 } });
    expect(seedsOf('--family', 'random', '--seeds', '3')).toMatchObject({ value: { seeds: 3 } });
  });

  it.each<[string, readonly string[], string]>([
    ['a flag nobody knows', ['--sed', '7'], "Unknown option '--sed'"],
    ['a word too many', ['births'], 'births'],
    [
      'a scenario nobody knows',
      ['--scenario', 'deaths'],
      '--scenario must be one of births, contest, not "deaths"',
    ],
    [
      'a family nobody knows',
      ['--family', 'rain'],
      '--family must be one of none, crash, stale start, random',
    ],
    ['a mutant nobody knows', ['--mutant', 'x'], '--mutant must be one of forgets'],
    ['a scenario twice', ['--scenario', 'births', '--scenario', 'contest'], '--scenario is given 2 times'],
    ['one run without a scenario', ['--seed', '7'], 'one run needs --scenario'],
    ['no time at all', ['--minutes', '0'], '--minutes must be a whole number from 1'],
    ['a trace of many runs', ['--trace'], '--trace needs --seed or --faults'],
    [
      'seeds for a family that draws none',
      ['--family', 'crash', '--seeds', '9'],
      '--seeds says nothing together with --family crash',
    ],
    [
      'random schedules, and none of them',
      ['--family', 'random', '--seeds', '0'],
      '--family random with --seeds 0',
    ],
  ])('is refused with %s', (_sentence, args, problem) => {
    expect(problemsOf(...args)).toEqual([expect.stringContaining(problem)]);
  });

  it.each(['-7', '9007199254740993', '1.5', 'x', ''])('is refused with the seed %s', (seed) => {
    expect(problemsOf('--scenario', 'births', '--seed', seed)).toEqual([
      `--seed must be a whole number from 0 to 2147483647, not ${seed}`,
    ]);
  });

  it.each<[string, string]>([
    ['report', 'a.json'],
    ['family', 'crash'],
    ['seeds', '5'],
    ['minutes', '5'],
  ])('is refused with --%s for one run', (flag, value) => {
    const one = ['--scenario', 'births', '--seed', '7', `--${flag}`, value];
    expect(problemsOf(...one)).toEqual([`--${flag} says nothing together with --seed, which is one run`]);
  });

  it('is told all that is wrong with it at once', () => {
    expect(problemsOf('--scenario', 'x', '--seed', '-1', '--report', 'a', '--faults', '{')).toHaveLength(4);
  });
});

describe('its help', () => {
  const lines = helpText().split('\n');

  it('fits on one screen', () => {
    expect(lines.length).toBeLessThanOrEqual(24);
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(100);
  });

  it('has a meaning and an example for every flag', () => {
    const told = lines.filter((line) => line.startsWith('  --'));
    expect(told).toHaveLength(10);
    for (const line of told) expect(line).toMatch(/^ {2}--[a-z]+( <\w+>)? +\S.* {1,}--/);
  });
});
