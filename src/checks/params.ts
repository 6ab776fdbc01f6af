// The parameters that checks take, declared once: reading, defaults, bounds and the reference come from the declaration.
// Every problem is found in one go, with its path and the value received.

import { isIP, isIPv6, SocketAddress } from 'node:net';
import { err, ok, type Problem, type Result } from '../base/result.ts';
import type { TargetRules } from './targets.ts';

export type ReadContext = { readonly path: string; readonly targets: TargetRules };

export type ParamKind<T> = {
  /** How a value looks, for the reference. */
  readonly words: string;
  read(raw: unknown, at: ReadContext): Result<T, readonly Problem[]>;
};

export type Param<T = unknown> = { readonly kind: ParamKind<T>; readonly fallback: T; readonly help: string };
export type ParamList = Readonly<Record<string, Param>>;
export type ParamValues<P extends ParamList> = {
  readonly [K in keyof P]: P[K] extends Param<infer T> ? T : never;
};

type ParamRest<T> = { readonly default: T; readonly help: string };

export function one<T>(kind: ParamKind<T>, rest: ParamRest<NoInfer<T>>): Param<T> {
  return { kind, fallback: rest.default, help: rest.help };
}

export function listOf<T>(
  kind: ParamKind<T>,
  {
    min = 0,
    max,
    ...rest
  }: ParamRest<readonly NoInfer<T>[]> & { readonly min?: number; readonly max: number },
): Param<readonly T[]> {
  const list: ParamKind<readonly T[]> = {
    words: `list of ${kind.words}, ${min === 0 ? 'up to' : `${min} to`} ${max}`,
    read(raw, { path, targets }) {
      if (!Array.isArray(raw) || raw.length < min || raw.length > max)
        return refuse(path, `a list of ${min} to ${max}`, raw);
      const items = raw.map((item: unknown, index) =>
        kind.read(item, { path: `${path}[${index}]`, targets }),
      );
      const problems = items.flatMap((item) => (item.kind === 'error' ? item.error : []));
      return problems.length > 0
        ? err(problems)
        : ok(items.flatMap((item) => (item.kind === 'ok' ? [item.value] : [])));
    },
  };
  return { kind: list, fallback: rest.default, help: rest.help };
}

export function readParams<P extends ParamList>(
  params: P,
  raw: unknown,
  at: ReadContext,
): Result<ParamValues<P>, readonly Problem[]> {
  const given = raw ?? {};
  if (!isRecord(given)) return refuse(at.path, 'a map', raw);
  const known = Object.keys(params).join(', ');
  const problems: Problem[] = Object.keys(given)
    .filter((key) => !Object.hasOwn(params, key))
    .map((key) => ({ path: `${at.path}.${key}`, message: `is not a known key; known are ${known}` }));
  const values = Object.entries(params).map(([name, { kind, fallback }]) => {
    if (given[name] === undefined) return [name, fallback];
    const value = kind.read(given[name], { ...at, path: `${at.path}.${name}` });
    if (value.kind === 'error') problems.push(...value.error);
    return [name, value.kind === 'ok' ? value.value : fallback];
  });
  if (problems.length > 0) return err(problems);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each value was read by the kind that types it
  return ok(Object.fromEntries(values) as ParamValues<P>);
}

export function number({ min, max }: { readonly min: number; readonly max: number }): ParamKind<number> {
  return {
    words: `number from ${min} to ${max}`,
    read(raw, { path }) {
      const isInBounds = typeof raw === 'number' && raw >= min && raw <= max;
      return isInBounds ? ok(raw) : refuse(path, `a number from ${min} to ${max}`, raw);
    },
  };
}

export function integer({ min, max }: { readonly min: number; readonly max: number }): ParamKind<number> {
  return {
    words: `integer from ${min} to ${max}`,
    read(raw, { path }) {
      const isInBounds = typeof raw === 'number' && Number.isInteger(raw) && raw >= min && raw <= max;
      return isInBounds ? ok(raw) : refuse(path, `an integer from ${min} to ${max}`, raw);
    },
  };
}

export function choice<const C extends string>(choices: readonly C[]): ParamKind<C> {
  return {
    words: choices.join(' or '),
    read(raw, { path }) {
      const found = choices.find((each) => each === raw);
      return found === undefined ? refuse(path, choices.join(' or '), raw) : ok(found);
    },
  };
}

const LABEL = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/i;

/** A name that only a DNS server can answer: an address or localhost would pass without a single packet. */
export const domainName: ParamKind<string> = {
  words: 'DNS name',
  read(raw, { path }) {
    const bare = typeof raw === 'string' ? raw.replace(/\.$/, '') : '';
    const labels = bare.split('.');
    const isName =
      typeof raw === 'string' && bare.length <= 253 && labels.every((label) => LABEL.test(label));
    const isNumeric = isIP(bare) !== 0 || /^(?:0x[0-9a-f]*|\d+)$/i.test(labels.at(-1) ?? '');
    const isLocal = labels.at(-1)?.toLowerCase() === 'localhost';
    return isName && !isNumeric && !isLocal
      ? ok(raw)
      : refuse(path, 'a DNS name, neither an IP address nor localhost', raw);
  },
};

export const port: ParamKind<number> = integer({ min: 1, max: 65_535 });

/** An IP address that checks may reach. Never a name: what is not resolved cannot be rebound. */
export const targetAddress: ParamKind<string> = {
  words: 'IP address',
  read(raw, { path, targets }) {
    if (typeof raw !== 'string' || isIP(raw) === 0) return refuse(path, 'an IP address', raw);
    const refusal = targets.refusalOf(raw);
    return refusal === null ? ok(canonicalAddress(raw)) : err([{ path, message: `${raw} ${refusal}` }]);
  },
};

/** One spelling per address, the one that the API and DNS use: addresses are compared as text. */
export function canonicalAddress(address: string): string {
  return new SocketAddress({ address, family: isIPv6(address) ? 'ipv6' : 'ipv4' }).address;
}

/** A map with exactly these keys; those without a default must be given. */
export function record<P extends ParamList>(fields: P): ParamKind<ParamValues<P>> {
  const words = Object.entries(fields).map(([name, { kind }]) => `${name}: ${kind.words}`);
  return { words: `{${words.join(', ')}}`, read: (raw, at) => readRecord(fields, raw, at) };
}

function readRecord<P extends ParamList>(
  fields: P,
  raw: unknown,
  at: ReadContext,
): Result<ParamValues<P>, readonly Problem[]> {
  if (!isRecord(raw)) return refuse(at.path, 'a map', raw);
  const missing = Object.entries(fields).filter(
    ([name, { fallback }]) => fallback === REQUIRED && raw[name] === undefined,
  );
  const values = readParams(fields, raw, at);
  if (missing.length === 0) return values;
  const problems = missing.map(([name]) => ({ path: `${at.path}.${name}`, message: 'is required' }));
  return err([...problems, ...(values.kind === 'error' ? values.error : [])]);
}

const REQUIRED: unknown = Symbol('required');

/** A field of a record that has no default. */
export function required<T>(kind: ParamKind<T>): Param<T> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a missing field is refused before the default is read
  return { kind, fallback: REQUIRED as T, help: '' };
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function refuse(path: string, wanted: string, raw: unknown): { kind: 'error'; error: readonly Problem[] } {
  return err([{ path, message: `must be ${wanted}, not ${JSON.stringify(raw) ?? String(raw)}` }]);
}
