// One function, method or operator for one combination of types, declared by its signature:
// `size(string): int` is a function, `string => size(): int` a method, capital letters are types to be found out.

import { assert } from '../../../base/assert.ts';
import { type Bindings, type CelType, fits, isOpen, type PlainKind, substitute } from './cel-type.ts';
import { CelError, kindOf, type Value } from './value.ts';

export type Overload = {
  readonly name: string;
  readonly isMethod: boolean;
  /** The receiver of a method comes first. */
  readonly parameters: readonly CelType[];
  readonly result: CelType;
  readonly run: (...args: readonly Value[]) => Value;
};

export type Overloads = ReadonlyMap<string, readonly Overload[]>;

/** The types of the arguments are those of the signature: the checker has seen to it. */
// oxlint-disable-next-line typescript/no-explicit-any
export function overload(signature: string, run: (...args: any[]) => Value): Overload {
  const match = /^(?:(\S.*) => )?([\w.[\]!=<>&|?:+*/%-]+)\((.*)\): (.+)$/.exec(signature);
  assert(match !== null, `${signature} is a signature`);
  const [, receiver, name = '', parameters = '', result = ''] = match;
  const own = splitTypes(parameters).map(parseType);
  return {
    name,
    isMethod: receiver !== undefined,
    parameters: receiver === undefined ? own : [parseType(receiver), ...own],
    result: parseType(result),
    run,
  };
}

export function tableOf(overloads: readonly Overload[]): Overloads {
  return Map.groupBy(overloads, ({ name, isMethod, parameters }) =>
    keyOf({ name, isMethod, count: parameters.length }),
  );
}

export type Called = { readonly name: string; readonly isMethod: boolean; readonly count: number };

export function keyOf({ name, isMethod, count }: Called): string {
  return `${isMethod ? 'method' : 'function'} ${name} ${count}`;
}

export type Resolved = { readonly type: CelType; readonly run: (args: readonly Value[]) => Value };

/** The overload for these types, or, where they are not known yet, the one that fits when the rule runs. */
export function resolve(candidates: readonly Overload[], types: readonly CelType[]): Resolved | null {
  const matches = candidates.flatMap((candidate) => {
    const bindings: Bindings = new Map();
    const isMatch = candidate.parameters.every((parameter, index) => {
      const type = types[index];
      return type !== undefined && fits(parameter, type, bindings);
    });
    return isMatch ? [{ candidate, type: substitute(candidate.result, bindings) }] : [];
  });
  const [first] = matches;
  if (first === undefined) return null;
  if (!types.some(isOpen)) return { type: first.type, run: (args) => first.candidate.run(...args) };
  const isSettled = matches.every(({ type }) => type.kind === first.type.kind && !isOpen(type));
  return {
    type: isSettled ? first.type : { kind: 'dyn' },
    run: (args) => {
      const match = matches.find(({ candidate }) =>
        candidate.parameters.every((parameter, index) => isOfType(args[index], parameter)),
      );
      if (match === undefined) throw new CelError('no such overload');
      return match.candidate.run(...args);
    },
  };
}

// A list is known by its first item: what the schemas let through has items of one type.
function isOfType(value: Value | undefined, type: CelType): boolean {
  if (value === undefined) return false;
  if (type.kind === 'dyn' || type.kind === 'parameter') return true;
  if (type.kind === 'list') {
    if (!isKind(value, 'list')) return false;
    const first = value.items[0];
    return first === undefined || isOfType(first, type.item);
  }
  return kindOf(value) === type.kind;
}

function isKind<K extends 'list'>(value: Value, kind: K): value is Extract<Value, { kind: K }> {
  return kindOf(value) === kind;
}

function parseType(text: string): CelType {
  const [, outer = '', inner = ''] = /^(\w+)<(.+)>$/.exec(text) ?? [];
  const [first = '', second = ''] = splitTypes(inner);
  if (outer === 'list') return { kind: 'list', item: parseType(first) };
  if (outer === 'optional') return { kind: 'optional', value: parseType(first) };
  if (outer === 'map') return { kind: 'map', key: parseType(first), value: parseType(second) };
  if (/^[A-Z]$/.test(text)) return { kind: 'parameter', name: text };
  return { kind: plainKindOf(text) };
}

const plainKinds: readonly PlainKind[] = [
  'bool',
  'int',
  'double',
  'string',
  'bytes',
  'null_type',
  'timestamp',
  'duration',
  'type',
  'quantity',
  'ip',
  'cidr',
  'url',
  'format',
  'dyn',
];

function plainKindOf(text: string): PlainKind {
  const kind = plainKinds.find((candidate) => candidate === text);
  assert(kind !== undefined, `${text} is a type`);
  return kind;
}

/** At the commas that stand in no brackets. */
function splitTypes(text: string): readonly string[] {
  if (text === '') return [];
  return text.split(/,\s*(?![^<]*>)/).map((part) => part.trim());
}
