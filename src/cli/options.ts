// Options declared once: each names its flag, its key in the config file, its kind and its default. Flags, strict config
// files, environment, defaults and help all come from the list. Every problem is found in one go, with its path and the
// value received.

import { parseArgs } from 'node:util';
import { err, ok, type Problem, type Result } from '../base/result.ts';
import { isRecord } from '../objects/raw.ts';

export type OptionKind<T> = {
  /** How a value looks, for help: `<duration>`. Empty for a switch. */
  readonly placeholder: string;
  /** The value, or what is wrong with it. Flags give text; a config file gives any YAML value. */
  read(raw: unknown): Result<T, string>;
};

export type Option<T = unknown> = {
  readonly flag: string;
  /** One letter that stands for the flag. */
  readonly short?: string;
  /** Path in the config file, dotted; null for what only a flag can say. */
  readonly key: string | null;
  /** The environment variable that says it where neither flag nor file does. */
  readonly env?: string;
  readonly kind: OptionKind<T>;
  readonly fallback: T;
  /** What help shows as the default, where it is not the value itself. */
  readonly fallbackText?: string;
  readonly help: string;
};

/** Ties the default to the kind, and leaves the type of both to the kind. */
export function option<T>(kind: OptionKind<T>, rest: Omit<Option<NoInfer<T>>, 'kind'>): Option<T> {
  return { kind, ...rest };
}

export type OptionList = Readonly<Record<string, Option>>;
export type ValuesOf<L extends OptionList> = {
  readonly [K in keyof L]: L[K] extends Option<infer T> ? T : never;
};

export type GivenFlags = ReadonlyMap<string, unknown>;

export type CommandLine = { readonly flags: GivenFlags; readonly words: readonly string[] };

/** For a command that takes nothing but flags. */
export function readFlags(
  options: OptionList,
  args: readonly string[],
): Result<GivenFlags, readonly Problem[]> {
  const line = readCommandLine(options, args, 0);
  return line.kind === 'error' ? line : ok(line.value.flags);
}

/** Flags, and the words between them in their order, of which there may be so many. */
export function readCommandLine(
  options: OptionList,
  args: readonly string[],
  wordsMax: number,
): Result<CommandLine, readonly Problem[]> {
  const byFlag = new Map(Object.values(options).map((option) => [option.flag, option]));
  const known = [...byFlag].map(([flag, { kind, short }]) => {
    const type = kind.placeholder === '' ? 'boolean' : 'string';
    return [flag, { type, ...(short === undefined ? {} : { short }) }] as const;
  });
  const { tokens } = parseArgs({
    args: [...args],
    options: Object.fromEntries(known),
    strict: false,
    allowNegative: true,
    tokens: true,
  });
  const problems: Problem[] = [];
  const words: string[] = [];
  const flags = new Map<string, unknown>();
  for (const token of tokens) {
    if (token.kind === 'positional') {
      if (words.push(token.value) > wordsMax)
        problems.push({ path: token.value, message: 'is not expected here' });
    }
    if (token.kind !== 'option') continue;
    const flag = token.name;
    const option = byFlag.get(flag);
    if (option === undefined)
      problems.push({ path: token.rawName, message: 'is not a flag; --help lists them' });
    else if (option.kind.placeholder === '')
      flags.set(flag, token.value ?? !token.rawName.startsWith('--no-'));
    else if (token.value === undefined)
      problems.push({ path: token.rawName, message: `needs a value: ${option.kind.placeholder}` });
    else flags.set(flag, token.value);
  }
  return problems.length === 0 ? ok({ flags, words }) : err(problems);
}

export type Given = {
  readonly flags: GivenFlags;
  readonly config: unknown;
  readonly environment: Readonly<Record<string, string | undefined>>;
};

/** Flags over config file over defaults. */
export function readValues<L extends OptionList>(
  options: L,
  flags: GivenFlags,
  config: unknown,
): Result<ValuesOf<L>, readonly Problem[]> {
  const { values, problems } = readWhatIsRight(options, { flags, config, environment: {} });
  return problems.length > 0 ? err(problems) : ok(values);
}

export type ValuesWithProblems<L extends OptionList> = {
  /** The default stands in for what is wrong. */
  readonly values: ValuesOf<L>;
  readonly problems: readonly Problem[];
};

/**
 * Flags over config file over environment over defaults: a kubelet puts variables into every pod, nobody a file. For a reader
 * who has more to find fault with: nothing that is wrong here may hide what is wrong there.
 */
export function readWhatIsRight<L extends OptionList>(options: L, given: Given): ValuesWithProblems<L> {
  const problems: Problem[] = [];
  const keys = Object.values(options).flatMap(({ key }) => key ?? []);
  const inFile = flattenConfig(given.config, '', { keys, problems });
  const entries = Object.entries(options).map(([name, option]) => {
    const { raw, path } = rawOf(option, given, inFile);
    if (raw === undefined) return [name, option.fallback];
    const value = option.kind.read(raw);
    if (value.kind === 'error') problems.push({ path, message: value.error });
    return [name, value.kind === 'ok' ? value.value : option.fallback];
  });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each value was read by the kind that types it
  return { values: Object.fromEntries(entries) as ValuesOf<L>, problems };
}

type Raw = { readonly raw: unknown; readonly path: string };

function rawOf({ flag, key, env }: Option, given: Given, inFile: ReadonlyMap<string, unknown>): Raw {
  if (given.flags.has(flag)) return { raw: given.flags.get(flag), path: `--${flag}` };
  if (key !== null && inFile.has(key)) return { raw: inFile.get(key), path: key };
  const variable = env === undefined ? undefined : given.environment[env];
  // A variable that is set to nothing is how a manifest leaves one out.
  return { raw: variable === '' ? undefined : variable, path: env ?? '' };
}

type Schema = { readonly keys: readonly string[]; readonly problems: Problem[] };

/** Values by dotted key. A key that no option has is a problem, never ignored. */
function flattenConfig(node: unknown, path: string, schema: Schema): ReadonlyMap<string, unknown> {
  const { keys, problems } = schema;
  const values = new Map<string, unknown>();
  if (node === undefined || node === null) return values;
  if (!isRecord(node)) {
    problems.push({ path: path || 'config', message: `must be a map, not ${JSON.stringify(node)}` });
    return values;
  }
  for (const [name, value] of Object.entries(node)) {
    const key = path === '' ? name : `${path}.${name}`;
    const isBranch = keys.some((other) => other.startsWith(`${key}.`));
    if (keys.includes(key)) values.set(key, value);
    else if (isBranch) for (const entry of flattenConfig(value, key, schema)) values.set(...entry);
    else problems.push({ path: key, message: `is not a known key; known are ${keys.join(', ')}` });
  }
  return values;
}

/** The flags as aligned lines for --help. */
export function formatOptions(options: OptionList): string {
  const rows = Object.values(options).map((option) => {
    const { flag, short, kind, help, key, env } = option;
    const shown = shownFallback(option);
    const notes = [
      key === null ? '' : `config: ${key}`,
      env === undefined ? '' : `env: ${env}`,
      shown === '' ? '' : `default: ${shown}`,
    ].filter((note) => note !== '');
    return {
      left: `  ${short === undefined ? '' : `-${short}, `}--${flag}${kind.placeholder === '' ? '' : ` ${kind.placeholder}`}`,
      right: `${help}${notes.length === 0 ? '' : ` (${notes.join('; ')})`}`,
    };
  });
  const width = Math.max(...rows.map(({ left }) => left.length)) + 2;
  return rows.map(({ left, right }) => left.padEnd(width) + right).join('\n');
}

/** What an option is when nobody says anything, in words. */
export function shownFallback({ fallback, fallbackText }: Option): string {
  return (
    fallbackText ?? (typeof fallback === 'string' || typeof fallback === 'boolean' ? String(fallback) : '')
  );
}
