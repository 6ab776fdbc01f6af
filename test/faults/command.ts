// The command line of `npm run test:faults`: read strictly into what is to be done, or into all that is wrong with it. Flags that say
// nothing together are refused by name, because whoever gives them expects something that would not happen.

import { parseArgs } from 'node:util';
import { err, formatProblem, ok, type Result } from '../../src/base/result.ts';
import { parsePlanText } from '../../src/sim/faults/parse-plan.ts';
import type { FaultPlan } from '../../src/sim/faults/rule.ts';

export type Command =
  | { readonly kind: 'help' }
  | {
      readonly kind: 'replay';
      readonly scenario: string;
      readonly seed: number;
      /** Null: the one that is drawn for the seed. */
      readonly plan: FaultPlan | null;
      readonly mutant: string | null;
      readonly isTraced: boolean;
    }
  | {
      readonly kind: 'campaign';
      /** Null: all of them. */
      readonly scenario: string | null;
      readonly family: string | null;
      readonly seeds: number;
      readonly minutes: number | null;
      readonly report: string | null;
      readonly mutant: string | null;
    };

/** The names that flags may give. */
export type Known = {
  readonly scenario: readonly string[];
  readonly family: readonly string[];
  readonly mutant: readonly string[];
};

type Flag = {
  readonly value?: string;
  readonly meaning: string;
  readonly example: string;
  /** Of many runs or of one alone; of both when left out. */
  readonly only?: 'campaign' | 'replay';
};

const SEEDS_DEFAULT = 1_000;

const ranges = {
  /** Everything that is drawn for a seed stays a whole number. */
  seed: { min: 0, max: 2 ** 31 - 1 },
  seeds: { min: 0, max: 10_000_000 },
  minutes: { min: 1, max: 10_000 },
} as const;

const flags = {
  scenario: { value: 'name', meaning: 'this one alone; one run needs it', example: '--scenario births' },
  family: {
    value: 'name',
    meaning: 'one family; `none`: no faults, `random`: lots',
    example: '--family "stale start"',
    only: 'campaign',
  },
  seeds: {
    value: 'count',
    meaning: `random schedules, ${SEEDS_DEFAULT} unless said`,
    example: '--seeds 10000',
    only: 'campaign',
  },
  minutes: {
    value: 'count',
    meaning: 'end in time: random ones, a spread of the rest',
    example: '--minutes 5',
    only: 'campaign',
  },
  report: {
    value: 'file',
    meaning: 'write all counts as JSON',
    example: '--report counts.json',
    only: 'campaign',
  },
  seed: {
    value: 'number',
    meaning: 'one run: this schedule and its own faults',
    example: '--scenario births --seed 7',
    only: 'replay',
  },
  faults: {
    value: 'plan',
    meaning: 'one run: the faults of a printed command',
    example: `--seed 0 --faults '{"rules":[]}'`,
    only: 'replay',
  },
  trace: {
    meaning: 'all lines of the one run',
    example: '--seed 7 --trace',
    only: 'replay',
  },
  mutant: {
    value: 'name',
    meaning: 'with this bug planted: the run should fail',
    example: '--mutant forgets-late-writes',
  },
  help: { meaning: 'this page', example: '--help' },
} as const satisfies Readonly<Record<string, Flag>>;

type FlagName = keyof typeof flags;
const table: Readonly<Record<FlagName, Flag>> = flags;
const names = Object.keys(flags) as readonly FlagName[];

export function helpText(): string {
  const rows = names.map((name) => {
    const { value, meaning, example } = table[name];
    const flag = value === undefined ? `--${name}` : `--${name} <${value}>`;
    return `  ${flag.padEnd(18)} ${meaning.padEnd(46)} ${example}`;
  });
  return [
    'npm run test:faults -- [flags]',
    'Every fault of every scenario, and random schedules on top; or one run again, by --seed or --faults.',
    '',
    ...rows,
    '',
    'A failure ends with the command that replays it. Exit code 0: nothing was breached. 1: something',
    'was, or nothing of a family ever struck. 2: the command is wrong, or what it did shows nothing.',
  ].join('\n');
}

type Given = Readonly<Partial<Record<FlagName, string>>>;

export function parseCommand(args: readonly string[], known: Known): Result<Command, readonly string[]> {
  const read = readFlags(args);
  if (read.kind === 'error') return read;
  const given = read.value;
  if (given.help !== undefined) return ok({ kind: 'help' });
  const isReplay = given.seed !== undefined || given.faults !== undefined;
  const plan = given.faults === undefined ? null : parsePlanText(given.faults);
  const numbers = {
    seed: wholeNumber(given, 'seed'),
    seeds: wholeNumber(given, 'seeds'),
    minutes: wholeNumber(given, 'minutes'),
  };
  const problems = [
    ...misplaced(given, isReplay),
    ...unknownNames(given, known, isReplay),
    ...Object.values(numbers).flatMap((number) => (number.kind === 'error' ? [number.error] : [])),
    ...(plan?.kind === 'error' ? [`--faults: ${plan.error.map(formatProblem).join('; ')}`] : []),
  ];
  if (problems.length > 0) return err(problems);
  const { scenario = null, mutant = null, family = null, report = null } = given;
  if (isReplay)
    return ok({
      kind: 'replay',
      scenario: scenario ?? '',
      seed: valueOf(numbers.seed) ?? 0,
      plan: plan?.kind === 'ok' ? plan.value : null,
      mutant,
      isTraced: given.trace !== undefined,
    });
  const seeds = valueOf(numbers.seeds) ?? (family === null || family === 'random' ? SEEDS_DEFAULT : 0);
  return ok({
    kind: 'campaign',
    scenario,
    family,
    seeds,
    minutes: valueOf(numbers.minutes),
    report,
    mutant,
  });
}

/** Each flag at most once. */
function readFlags(args: readonly string[]): Result<Given, readonly string[]> {
  const options = Object.fromEntries(
    names.map((name) => {
      const type = table[name].value === undefined ? 'boolean' : 'string';
      return [name, { type, multiple: true }] as const;
    }),
  );
  try {
    const { values } = parseArgs({
      args: withNegatives(args),
      options,
      strict: true,
      allowPositionals: false,
    });
    const lists = names.flatMap((name) =>
      values[name] === undefined ? [] : ([[name, [values[name]].flat()]] as const),
    );
    const repeated = lists.filter(([, list]) => list.length > 1);
    if (repeated.length > 0)
      return err(repeated.map(([name, list]) => `--${name} is given ${list.length} times; give it once`));
    return ok(Object.fromEntries(lists.map(([name, [value]]) => [name, String(value)])));
  } catch (error) {
    const [sentence = ''] = (error as Error).message.split('\n');
    return err([`${sentence}; known are --${names.join(', --')}`]);
  }
}

/** A number below zero is a wrong value of its flag, not a flag of its own. */
function withNegatives(args: readonly string[]): string[] {
  return args.flatMap((arg, index) => {
    const isNegative = /^-\d/.test(arg);
    if (isNegative && isFlag(args[index - 1])) return [];
    const next = args[index + 1] ?? '';
    return isFlag(arg) && /^-\d/.test(next) ? [`${arg}=${next}`] : [arg];
  });
}

function isFlag(arg: string | undefined): boolean {
  return arg !== undefined && names.some((name) => arg === `--${name}`);
}

/** Flags that would do nothing beside the others. */
function misplaced(given: Given, isReplay: boolean): readonly string[] {
  const one = given.seed === undefined ? '--faults' : '--seed';
  const wrong = names
    .filter((name) => given[name] !== undefined && table[name].only === (isReplay ? 'campaign' : 'replay'))
    .map((name) =>
      isReplay
        ? `--${name} says nothing together with ${one}, which is one run`
        : `--${name} needs --seed or --faults: it shows one run`,
    );
  const { family, seeds } = given;
  if (isReplay || family === undefined || seeds === undefined) return wrong;
  if (family !== 'random')
    return [
      ...wrong,
      `--seeds says nothing together with --family ${family}: random schedules are the family random`,
    ];
  return Number(seeds) === 0 ? [...wrong, '--family random with --seeds 0 is nothing to run'] : wrong;
}

function unknownNames(given: Given, known: Known, isReplay: boolean): readonly string[] {
  const wrong = (['scenario', 'family', 'mutant'] as const).flatMap((flag) => {
    const name = given[flag];
    if (name === undefined || known[flag].includes(name)) return [];
    return [`--${flag} must be one of ${known[flag].join(', ')}, not ${JSON.stringify(name)}`];
  });
  if (!isReplay || given.scenario !== undefined) return wrong;
  return [...wrong, `one run needs --scenario, one of ${known.scenario.join(', ')}`];
}

function wholeNumber(given: Given, flag: keyof typeof ranges): Result<number | null, string> {
  const text = given[flag];
  if (text === undefined) return ok(null);
  const { min, max } = ranges[flag];
  const value = Number(text);
  return /^\d+$/.test(text) && value >= min && value <= max
    ? ok(value)
    : err(`--${flag} must be a whole number from ${min} to ${max}, not ${text}`);
}

function valueOf(number: Result<number | null, string>): number | null {
  return number.kind === 'ok' ? number.value : null;
}
