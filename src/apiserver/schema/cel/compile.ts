// Checks an expression against the types of its variables and compiles it into closures, in one pass. The library
// that parsed it could evaluate it too, but counts strings in UTF-16 units, times in milliseconds and checks no field
// of a schema; a rule must mean here what it means on a real server.

import type { ASTNode } from '@marcbachmann/cel-js';
import { compileHas, compileSelect, itemType, optionalItem } from './access.ts';
import { bool, type CelType, dyn, formatType, joined } from './cel-type.ts';
import { attempt, type Code, ExpressionProblem, type Scope, sizeOf } from './code.ts';
import { library } from './library.ts';
import { checkLiterals } from './literals.ts';
import { compileMacro } from './macros.ts';
import { keyOf, resolve } from './overload.ts';
import { checkPrecedence } from './precedence.ts';
import { CelError, type MapKey, mapKeyOf, type Value } from './value.ts';

export function compileNode(node: ASTNode, scope: Scope): Code {
  switch (node.op) {
    case 'value':
      return compileLiteral(node);
    case 'id':
      return compileName(node.args, node, scope);
    case '.':
    case '.?':
      return compileTypeName(node, scope) ?? compileSelect(node, scope, compileNode);
    case '[?]':
      return compileOptionalItem(node, scope);
    case '?:':
      return compileChoice(node, scope);
    case '&&':
    case '||':
      return compileLogic(node, scope);
    case 'list':
      return compileList(node, scope);
    case 'map':
      return compileMap(node, scope);
    case 'call':
      return compileCall(node, scope);
    case 'rcall':
      return compileMethod(node, scope);
    case '!_':
      return applied({ name: '_!_', isMethod: false, args: [node.args], node }, scope);
    case '-_':
      return applied({ name: '-_', isMethod: false, args: [node.args], node }, scope);
    case '==':
    case '!=':
      checkPrecedence(node);
      return applied({ name: `_${node.op}_`, isMethod: false, args: node.args, node }, scope);
    case '[]':
      return applied({ name: '_[_]', isMethod: false, args: node.args, node }, scope);
    default:
      return applied({ name: `_${node.op}_`, isMethod: false, args: node.args, node }, scope);
  }
}

type Node<Op extends ASTNode['op']> = Extract<ASTNode, { op: Op }>;

function compileLiteral(node: Node<'value'>): Code {
  const value: unknown = node.args;
  if (typeof value === 'string') return constant({ kind: 'string' }, value);
  if (typeof value === 'bigint') return constant({ kind: 'int' }, value);
  if (typeof value === 'number') return constant({ kind: 'double' }, value);
  if (typeof value === 'boolean') return constant(bool, value);
  if (value === null) return constant({ kind: 'null_type' }, null);
  if (value instanceof Uint8Array) return constant({ kind: 'bytes' }, value);
  throw new ExpressionProblem('unsigned integers are not supported here', node);
}

function constant(type: CelType, value: Value): Code {
  return { type, run: () => value };
}

const typeNames: ReadonlySet<string> = new Set([
  'bool',
  'int',
  'double',
  'string',
  'bytes',
  'list',
  'map',
  'null_type',
  'type',
  'google.protobuf.Timestamp',
  'google.protobuf.Duration',
]);

function compileName(name: string, node: ASTNode, scope: Scope): Code {
  const variable = scope.find(name);
  if (variable !== null) {
    const { slot, type } = variable;
    return {
      type,
      run: ({ slots }) => {
        const value = slots[slot];
        if (value === undefined) throw new CelError(`no such attribute(s): ${name}`);
        return value;
      },
    };
  }
  if (typeNames.has(name)) return constant({ kind: 'type' }, { kind: 'type', name });
  throw new ExpressionProblem(`undeclared reference to '${name}' (in container '')`, node);
}

/** `google.protobuf.Duration`, which reads like fields of a variable that does not exist. */
function compileTypeName(node: ASTNode, scope: Scope): Code | null {
  const name = qualifiedName(node);
  if (name === null || scope.find(name.split('.')[0] ?? '') !== null || !typeNames.has(name)) return null;
  return constant({ kind: 'type' }, { kind: 'type', name });
}

function qualifiedName(node: ASTNode): string | null {
  if (node.op === 'id') return node.args;
  if (node.op !== '.') return null;
  const owner = qualifiedName(node.args[0]);
  return owner === null ? null : `${owner}.${node.args[1]}`;
}

function compileOptionalItem(node: Node<'[?]'>, scope: Scope): Code {
  const owner = compileNode(node.args[0], scope);
  const key = compileNode(node.args[1], scope);
  return {
    type: { kind: 'optional', value: itemType(owner.type, node) },
    run: (frame) => optionalItem(owner.run(frame), key.run(frame)),
  };
}

function compileChoice(node: Node<'?:'>, scope: Scope): Code {
  const [condition, yes, no] = node.args.map((part) => compileNode(part, scope));
  if (condition === undefined || yes === undefined || no === undefined)
    throw new ExpressionProblem('incomplete choice', node);
  requireBool(condition, node);
  const type = joined(yes.type, no.type);
  if (type === null) throw noOverload('_?_:_', [condition.type, yes.type, no.type], node);
  return { type, run: (frame) => (truth(condition.run(frame)) ? yes.run(frame) : no.run(frame)) };
}

/** The operand that settles the matter may stand on either side, beside an error. */
function compileLogic(node: Node<'&&' | '||'>, scope: Scope): Code {
  const settling = node.op === '||';
  const [left, right] = node.args.map((part) => compileNode(part, scope));
  if (left === undefined || right === undefined) throw new ExpressionProblem('incomplete condition', node);
  requireBool(left, node);
  requireBool(right, node);
  return {
    type: bool,
    run: (frame) => {
      const first = attempt(left, frame);
      if (first === settling) return settling;
      const second = attempt(right, frame);
      if (second === settling) return settling;
      if (first instanceof CelError) throw first;
      if (second instanceof CelError) throw second;
      return truth(first) === settling || truth(second) === settling ? settling : !settling;
    },
  };
}

function compileList(node: Node<'list'>, scope: Scope): Code {
  const items = node.args.map((item) => compileNode(item, scope));
  return listOf(items, commonType(items, node));
}

function compileMixedList(node: Node<'list'>, scope: Scope): Code {
  return listOf(
    node.args.map((item) => compileNode(item, scope)),
    dyn,
  );
}

function listOf(items: readonly Code[], item: CelType): Code {
  return {
    type: { kind: 'list', item },
    run: (frame) => ({ kind: 'list', items: items.map((code) => code.run(frame)) }),
  };
}

function compileMap(node: Node<'map'>, scope: Scope): Code {
  const entries = node.args.map(
    ([key, value]) => [compileNode(key, scope), compileNode(value, scope)] as const,
  );
  const key = commonType(
    entries.map(([code]) => code),
    node,
  );
  const value = commonType(
    entries.map(([, code]) => code),
    node,
  );
  return {
    type: { kind: 'map', key, value },
    run: (frame) => {
      const result = new Map<MapKey, Value>();
      for (const [name, item] of entries) {
        const at = mapKeyOf(name.run(frame));
        if (result.has(at)) throw new CelError(`Failed with repeated key: ${String(at)}`);
        result.set(at, item.run(frame));
      }
      return { kind: 'map', entries: result };
    },
  };
}

function commonType(codes: readonly Code[], node: ASTNode): CelType {
  const [first, ...rest] = codes;
  if (first === undefined) return dyn;
  return rest.reduce((common, { type }) => {
    const both = joined(common, type);
    if (both !== null) return both;
    throw new ExpressionProblem(
      `expected type '${formatType(common)}' but found '${formatType(type)}'`,
      node,
    );
  }, first.type);
}

function compileCall(node: Node<'call'>, scope: Scope): Code {
  const [name, args] = node.args;
  const [only] = args;
  if (name === 'has' && args.length === 1 && only !== undefined) return compileHas(only, scope, compileNode);
  return applied({ name, isMethod: false, args, node }, scope);
}

function compileMethod(node: Node<'rcall'>, scope: Scope): Code {
  const [name, receiver, args] = node.args;
  if (receiver.op === 'id' && scope.find(receiver.args) === null)
    return applied({ name: `${receiver.args}.${name}`, isMethod: false, args, node }, scope);
  const macro = compileMacro({ node, scope, compile: compileNode });
  return macro ?? applied({ name, isMethod: true, args: [receiver, ...args], node }, scope);
}

type Application = {
  readonly name: string;
  readonly isMethod: boolean;
  /** The receiver of a method comes first. */
  readonly args: readonly ASTNode[];
  readonly node: ASTNode;
};

function applied({ name, isMethod, args, node }: Application, scope: Scope): Code {
  const candidates = library.get(keyOf({ name, isMethod, count: args.length }));
  if (candidates === undefined)
    throw new ExpressionProblem(
      `undeclared reference to '${name}' (in container ''): with ${args.length} operands it does not exist, or is not supported here`,
      node,
    );
  const codes = args.map((arg) =>
    // What fills a format is the one list whose items need not be alike.
    name === 'format' && arg.op === 'list' ? compileMixedList(arg, scope) : compileNode(arg, scope),
  );
  checkLiterals({ name, args, node });
  const types = codes.map(({ type }) => type);
  const resolved = resolve(candidates, types);
  if (resolved === null) throw noOverload(name, types, node);
  return {
    type: resolved.type,
    run: (frame) => {
      const values = codes.map((code) => code.run(frame));
      frame.budget.charge(values.reduce<number>((sum, value) => sum + sizeOf(value), 0));
      return resolved.run(values);
    },
  };
}

function noOverload(name: string, types: readonly CelType[], node: ASTNode): ExpressionProblem {
  const applied = types.map(formatType).join(', ');
  return new ExpressionProblem(`found no matching overload for '${name}' applied to '(${applied})'`, node);
}

function requireBool({ type }: Code, node: ASTNode): void {
  if (type.kind !== 'bool' && type.kind !== 'dyn')
    throw new ExpressionProblem(`expected type 'bool' but found '${formatType(type)}'`, node);
}

function truth(value: Value): boolean {
  if (typeof value === 'boolean') return value;
  throw new CelError('no such overload');
}
