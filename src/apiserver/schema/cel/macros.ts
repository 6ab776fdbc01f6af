// all, exists, exists_one, map, filter, optMap, optFlatMap: calls that bind a variable. Quantifiers get over the error
// of one item when another settles the matter.

import type { ASTNode } from '@marcbachmann/cel-js';
import { bool, type CelType, dyn, formatType } from './cel-type.ts';
import { attempt, type Code, type Compile, ExpressionProblem, type Frame, Scope } from './code.ts';
import { none } from './optionals.ts';
import { CelError, listOf, type Value } from './value.ts';

type Call = Extract<ASTNode, { op: 'rcall' }>;

export type MacroCall = { readonly node: Call; readonly scope: Scope; readonly compile: Compile };

const loops: ReadonlySet<string> = new Set(['all', 'exists', 'exists_one', 'existsOne', 'map', 'filter']);
const unsupported: ReadonlySet<string> = new Set([
  'transformList',
  'transformMap',
  'transformMapEntry',
  'sortBy',
]);

/** Null for a call that is no macro. */
export function compileMacro({ node, scope, compile }: MacroCall): Code | null {
  const [name, receiver, args] = node.args;
  if (unsupported.has(name)) throw new ExpressionProblem(`the macro ${name} is not supported here`, node);
  if (loops.has(name)) {
    if (args.length === 2 || (name === 'map' && args.length === 3))
      return compileLoop({ name, range: compile(receiver, scope), call: { node, scope, compile } });
    if (args.length === 3)
      throw new ExpressionProblem(`the macro ${name} with two variables is not supported here`, node);
  }
  if ((name === 'optMap' || name === 'optFlatMap') && args.length === 2)
    return compileOptional({ name, range: compile(receiver, scope), call: { node, scope, compile } });
  return null;
}

type Bound = { readonly name: string; readonly range: Code; readonly call: MacroCall };

function compileLoop({ name, range, call }: Bound): Code {
  const { variable, inner, slot } = bindVariable(call, elementType(range.type, call.node));
  const bodies = call.node.args[2].slice(1).map((body) => call.compile(body, inner));
  const [first, second] = bodies;
  if (first === undefined) throw new ExpressionProblem(`${name} needs a body for ${variable}`, call.node);
  if (name !== 'map' || second !== undefined) requireBool(first, call.node);
  const each = (frame: Frame) => eachOf(range.run(frame), { frame, slot });
  switch (name) {
    case 'all':
      return { type: bool, run: (frame) => !settles(first, { frame, items: each(frame), wanted: false }) };
    case 'exists':
      return { type: bool, run: (frame) => settles(first, { frame, items: each(frame), wanted: true }) };
    case 'filter':
      return {
        type: { kind: 'list', item: elementType(range.type, call.node) },
        run: (frame) => listOf([...each(frame)].filter((item) => isTrue(at(first, { frame, slot, item })))),
      };
    case 'map':
      return compileMap({ first, second: second ?? null, slot, each });
    default:
      return {
        type: bool,
        run: (frame) =>
          [...each(frame)].filter((item) => isTrue(at(first, { frame, slot, item }))).length === 1,
      };
  }
}

type Mapping = {
  readonly first: Code;
  readonly second: Code | null;
  readonly slot: number;
  readonly each: (frame: Frame) => Iterable<Value>;
};

function compileMap({ first, second, slot, each }: Mapping): Code {
  const transform = second ?? first;
  return {
    type: { kind: 'list', item: transform.type },
    run: (frame) => {
      const results: Value[] = [];
      for (const item of each(frame)) {
        if (second === null || isTrue(at(first, { frame, slot, item })))
          results.push(at(transform, { frame, slot, item }));
      }
      return listOf(results);
    },
  };
}

function compileOptional({ name, range, call }: Bound): Code {
  if (range.type.kind !== 'optional' && range.type.kind !== 'dyn')
    throw new ExpressionProblem(`${name} needs an optional, not ${formatType(range.type)}`, call.node);
  const { inner, slot } = bindVariable(call, range.type.kind === 'optional' ? range.type.value : dyn);
  const [, body] = call.node.args[2];
  if (body === undefined) throw new ExpressionProblem(`${name} needs a body`, call.node);
  const code = call.compile(body, inner);
  if (name === 'optFlatMap' && code.type.kind !== 'optional')
    throw new ExpressionProblem(`${name} needs an optional as its result`, call.node);
  return {
    type: name === 'optMap' ? { kind: 'optional', value: code.type } : code.type,
    run: (frame) => {
      const value = range.run(frame);
      if (typeof value !== 'object' || value === null || !('kind' in value) || value.kind !== 'optional')
        throw new CelError('no such overload');
      if (value.value === undefined) return none;
      const result = at(code, { frame, slot, item: value.value });
      return name === 'optMap' ? { kind: 'optional', value: result } : result;
    },
  };
}

function bindVariable({ node, scope }: MacroCall, type: CelType) {
  const [variable] = node.args[2];
  if (variable?.op !== 'id') throw new ExpressionProblem('argument must be a simple name', node);
  const inner = new Scope({ [variable.args]: type }, scope);
  return { variable: variable.args, inner, slot: inner.find(variable.args)?.slot ?? 0 };
}

function elementType(type: CelType, node: ASTNode): CelType {
  if (type.kind === 'list') return type.item;
  if (type.kind === 'map') return type.key;
  if (type.kind === 'dyn') return dyn;
  const words = `expression of type '${formatType(type)}' cannot be range of a comprehension (must be list, map, or dynamic)`;
  throw new ExpressionProblem(words, node);
}

function requireBool({ type }: Code, node: ASTNode): void {
  if (type.kind !== 'bool' && type.kind !== 'dyn')
    throw new ExpressionProblem(`expected type 'bool' but found '${formatType(type)}'`, node);
}

type Place = { readonly frame: Frame; readonly slot: number };

function* eachOf(range: Value, { frame, slot }: Place): Iterable<Value> {
  for (const item of itemsOf(range)) {
    frame.budget.charge(1);
    frame.slots[slot] = item;
    yield item;
  }
}

function itemsOf(range: Value): Iterable<Value> {
  if (typeof range === 'object' && range !== null && 'kind' in range) {
    if (range.kind === 'list') return range.items;
    if (range.kind === 'map') return range.entries.keys();
  }
  throw new CelError('no such overload');
}

function at(code: Code, { frame, slot, item }: Place & { readonly item: Value }): Value {
  frame.slots[slot] = item;
  return code.run(frame);
}

type Quantified = { readonly frame: Frame; readonly items: Iterable<Value>; readonly wanted: boolean };

/** Whether some item gives the wanted answer. An error counts only if none does. */
function settles(code: Code, { frame, items, wanted }: Quantified): boolean {
  let failure: CelError | null = null;
  // Taking an item puts it where the code reads it.
  for (const step = items[Symbol.iterator](); step.next().done !== true; ) {
    const answer = attempt(code, frame);
    if (answer instanceof CelError) failure ??= answer;
    else if (isTrue(answer) === wanted) return true;
  }
  if (failure !== null) throw failure;
  return false;
}

function isTrue(value: Value): boolean {
  if (typeof value === 'boolean') return value;
  throw new CelError('no such overload');
}
