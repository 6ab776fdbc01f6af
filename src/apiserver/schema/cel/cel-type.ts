// The types of expressions, and when one may stand for another. They come from schemas, so most mistakes in a rule are
// found when its definition is made, as the API server finds them.

import type { ObjectShape } from './value.ts';

export type PlainKind =
  | 'bool'
  | 'int'
  | 'double'
  | 'string'
  | 'bytes'
  | 'null_type'
  | 'timestamp'
  | 'duration'
  | 'type'
  | 'quantity'
  | 'ip'
  | 'cidr'
  | 'url'
  | 'format'
  /** Anything: checked when the rule runs. */
  | 'dyn';

export type CelType =
  | { readonly kind: PlainKind }
  | { readonly kind: 'list'; readonly item: CelType }
  | { readonly kind: 'map'; readonly key: CelType; readonly value: CelType }
  | { readonly kind: 'optional'; readonly value: CelType }
  | { readonly kind: 'object'; readonly shape: ObjectShape }
  /** Of a signature: the same type wherever the name occurs. */
  | { readonly kind: 'parameter'; readonly name: string };

export const dyn: CelType = { kind: 'dyn' };
export const bool: CelType = { kind: 'bool' };

export type Bindings = Map<string, CelType>;

/** Whether a value of the type fits the pattern; parameters of the pattern are bound on the way. */
export function fits(pattern: CelType, type: CelType, bindings: Bindings): boolean {
  if (pattern.kind === 'parameter') return bind(pattern.name, type, bindings);
  if (pattern.kind === 'dyn' || type.kind === 'dyn') return true;
  if (type.kind === 'null_type') return pattern.kind === 'null_type' || isNullable(pattern);
  switch (pattern.kind) {
    case 'list':
      return type.kind === 'list' && fits(pattern.item, type.item, bindings);
    case 'map':
      return (
        type.kind === 'map' &&
        fits(pattern.key, type.key, bindings) &&
        fits(pattern.value, type.value, bindings)
      );
    case 'optional':
      return type.kind === 'optional' && fits(pattern.value, type.value, bindings);
    case 'object':
      return type.kind === 'object' && type.shape === pattern.shape;
    default:
      return type.kind === pattern.kind;
  }
}

/** The type that stands for both, or null. */
export function joined(a: CelType, b: CelType): CelType | null {
  const bindings: Bindings = new Map();
  const both: CelType = { kind: 'parameter', name: 'A' };
  return fits(both, a, bindings) && fits(both, b, bindings) ? (bindings.get('A') ?? null) : null;
}

export function substitute(type: CelType, bindings: Bindings): CelType {
  switch (type.kind) {
    case 'parameter':
      return bindings.get(type.name) ?? dyn;
    case 'list':
      return { kind: 'list', item: substitute(type.item, bindings) };
    case 'map':
      return { kind: 'map', key: substitute(type.key, bindings), value: substitute(type.value, bindings) };
    case 'optional':
      return { kind: 'optional', value: substitute(type.value, bindings) };
    default:
      return type;
  }
}

/** Whether something in it is only known when the rule runs. */
export function isOpen(type: CelType): boolean {
  switch (type.kind) {
    case 'dyn':
      return true;
    case 'list':
      return isOpen(type.item);
    case 'map':
      return isOpen(type.key) || isOpen(type.value);
    case 'optional':
      return isOpen(type.value);
    default:
      return false;
  }
}

export function formatType(type: CelType): string {
  switch (type.kind) {
    case 'list':
      return `list(${formatType(type.item)})`;
    case 'map':
      return `map(${formatType(type.key)}, ${formatType(type.value)})`;
    case 'optional':
      return `optional_type(${formatType(type.value)})`;
    case 'parameter':
      return type.name;
    case 'null_type':
      return 'null';
    default:
      return type.kind;
  }
}

function bind(name: string, type: CelType, bindings: Bindings): boolean {
  const bound = bindings.get(name);
  if (bound === undefined || (bound.kind === 'null_type' && isNullable(type)) || type.kind === 'dyn') {
    bindings.set(name, type);
    return true;
  }
  if (bound.kind === 'dyn') return true;
  if (!fits(bound, type, bindings)) return false;
  // Of two lists of which one holds anything, the type of both is the one that promises less.
  if (isOpen(type)) bindings.set(name, type);
  return true;
}

/** Scalars, lists and maps are never null in CEL, whatever their schema says. */
function isNullable({ kind }: CelType): boolean {
  return kind === 'object' || kind === 'timestamp' || kind === 'duration' || isAbstract(kind);
}

function isAbstract(kind: CelType['kind']): boolean {
  return ['optional', 'quantity', 'ip', 'cidr', 'url', 'format'].includes(kind);
}
