// Reading fields: `a.b`, `a.?b`, `has(a.b)`. A field that a schema does not have is refused when the rule is compiled.

import type { ASTNode } from '@marcbachmann/cel-js';
import { bool, type CelType, dyn, formatType } from './cel-type.ts';
import { type Code, type Compile, ExpressionProblem, type Scope } from './code.ts';
import { none } from './optionals.ts';
import { CelError, fieldOf, type Value } from './value.ts';

type Select = Extract<ASTNode, { op: '.' | '.?' }>;

export function compileSelect(node: Select, scope: Scope, compile: Compile): Code {
  const [base, name] = node.args;
  const owner = compile(base, scope);
  const isOptional = node.op === '.?' || owner.type.kind === 'optional';
  const type = fieldType(owner.type.kind === 'optional' ? owner.type.value : owner.type, name, node);
  if (!isOptional) return { type, run: (frame) => selected(owner.run(frame), name) };
  return {
    type: { kind: 'optional', value: type },
    run: (frame) => {
      const value = unwrapped(owner.run(frame));
      const found = value === undefined ? undefined : find(value, name);
      return found === undefined ? none : { kind: 'optional', value: found };
    },
  };
}

/** Whether the last field is there; the ones before it must be. */
export function compileHas(node: ASTNode, scope: Scope, compile: Compile): Code {
  if (node.op !== '.') throw new ExpressionProblem('invalid argument to has() macro', node);
  const [base, name] = node.args;
  const owner = compile(base, scope);
  fieldType(owner.type.kind === 'optional' ? owner.type.value : owner.type, name, node);
  return {
    type: bool,
    run: (frame) => {
      const value = unwrapped(owner.run(frame));
      return value !== undefined && find(value, name) !== undefined;
    },
  };
}

/** `a[?b]`: nothing where there is no such item. */
export function optionalItem(owner: Value, key: Value): Value {
  const value = unwrapped(owner);
  if (value === undefined) return none;
  const found = itemOf(value, key);
  return found === undefined ? none : { kind: 'optional', value: found };
}

export function itemType(type: CelType, node: ASTNode): CelType {
  switch (type.kind) {
    case 'optional':
      return itemType(type.value, node);
    case 'list':
      return type.item;
    case 'map':
      return type.value;
    case 'dyn':
      return dyn;
    default:
      throw new ExpressionProblem(
        `found no matching overload for '_[?_]' applied to '(${formatType(type)})'`,
        node,
      );
  }
}

function fieldType(type: CelType, name: string, node: ASTNode): CelType {
  switch (type.kind) {
    case 'dyn':
      return dyn;
    case 'map':
      return type.value;
    case 'object': {
      const field = type.shape.fields.get(name);
      if (field === undefined) throw new ExpressionProblem(`undefined field '${name}'`, node);
      return field.type;
    }
    default:
      throw new ExpressionProblem(`type '${formatType(type)}' does not support field selection`, node);
  }
}

function selected(owner: Value, name: string): Value {
  const value = find(owner, name);
  if (value === undefined) throw new CelError(`no such key: ${name}`);
  return value;
}

/** Undefined when there is no such field. */
function find(owner: Value, name: string): Value | undefined {
  if (typeof owner === 'object' && owner !== null && 'kind' in owner) {
    if (owner.kind === 'object') return fieldOf(owner, name);
    if (owner.kind === 'map') return owner.entries.get(name);
  }
  throw new CelError('no such overload');
}

function itemOf(owner: Value, key: Value): Value | undefined {
  if (typeof owner === 'object' && owner !== null && 'kind' in owner) {
    if (owner.kind === 'list' && typeof key === 'bigint')
      return key < 0n ? undefined : owner.items[Number(key)];
    if (
      owner.kind === 'map' &&
      (typeof key === 'string' || typeof key === 'bigint' || typeof key === 'boolean')
    )
      return owner.entries.get(key);
  }
  throw new CelError('no such overload');
}

function unwrapped(value: Value): Value | undefined {
  if (typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'optional')
    return value.value;
  return value;
}
