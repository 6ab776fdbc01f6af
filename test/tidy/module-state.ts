// No state at module level outside bin: several operators run in one simulated process, and what one of them forgets
// the others must not remember. A constant table is fine when its type says that nobody can change it.

import { folderOf, isProduction, type Rule, type Violation, violation } from './rule.ts';
import {
  child,
  children,
  isFunction,
  rootWordOf,
  type SourceFile,
  type SyntaxNode,
  type Visit,
  walk,
  wordOf,
} from './source.ts';

const readonlyTypes = /^Readonly(?:Map|Set)$/;
const collections = /^(?:Map|Set)$/;
// These remember nothing that a second user could notice.
const stateless = /^(?:TextEncoder|RegExp|URL|Intl|Date)$/;
// Whoever is made once for all by these remembers something, or could have been written down as it is.
const makers = /^(?:create|make|open|start)[A-Z]/;

export const moduleState: Rule = {
  name: 'module-state',
  check: (files) =>
    files
      .filter((file) => isProduction(file) && folderOf(file.path) !== 'bin')
      .flatMap((file) => checkFile(file)),
  refuses: {
    'a variable': { 'src/kube/a.ts': 'let count = 0;' },
    'an exported variable': { 'src/kube/a.ts': 'export let count = 0;' },
    'an old-fashioned variable': { 'src/kube/a.ts': 'var count = 0;' },
    'a map': { 'src/kube/a.ts': 'const cache = new Map<string, string>();' },
    'a set with a type that can be changed': { 'src/kube/a.ts': 'const seen: Set<string> = new Set();' },
    'a weak map': { 'src/kube/a.ts': 'const cache = new WeakMap();' },
    'a map inside an object': { 'src/kube/a.ts': 'const caches = { nodes: new Map() };' },
    'an instance of a class': { 'src/kube/a.ts': 'export const registry = new Registry();' },
    'an empty list': { 'src/kube/a.ts': 'const seen: string[] = [];' },
    'an empty list without a type': { 'src/kube/a.ts': 'const seen = [];' },
    'a table that can grow': { 'src/kube/a.ts': 'const cache: Record<string, number> = {};' },
    'a table that can be changed': {
      'src/kube/a.ts': 'export const codes: Record<string, number> = { a: 1 };',
    },
    'a cell': { 'src/kube/a.ts': 'const cell = { count: 0 };\nexport const next = () => cell.count++;' },
    'a cell that is set': { 'src/kube/a.ts': 'const cell = { last: "" };\nfunction f(a) { cell.last = a; }' },
    'a field of a cell that is deleted': {
      'src/kube/a.ts': 'const cell = { of: { a: 1 } };\nfunction f() { delete cell.of.a; }',
    },
    'what another module holds': {
      'src/kube/a.ts': `import { cell } from './b.ts';\nexport const f = () => { cell.count += 1; };`,
    },
    'what is created once for all': { 'src/kube/a.ts': 'const cache = createCache();' },
    'what is created inside of an object': {
      'src/kube/a.ts': 'export const parts = { cache: createCache() };',
    },
    'what a function that runs at once has closed over': {
      'src/kube/a.ts': 'const next = (() => { let n = 0; return () => n++; })();',
    },
    'a static field': { 'src/kube/a.ts': 'class A { static count = 0; }' },
    'a static map': { 'src/kube/a.ts': 'class A { static readonly cache = new Map(); }' },
  },
  accepts: {
    'a map that is read only': {
      'src/kube/a.ts': 'const codes: ReadonlyMap<number, string> = new Map([[1, "a"]]);',
    },
    'a set that is declared as read only': {
      'src/kube/a.ts': 'const a = new Set([1]) as ReadonlySet<number>;',
    },
    'an empty list that is read only': { 'src/kube/a.ts': 'const none: readonly string[] = [];' },
    'what remembers nothing': { 'src/kube/a.ts': 'const encoder = new TextEncoder();' },
    'a variable of a loop': { 'src/kube/a.ts': 'for (let i = 0; i < 3; i++) f(i);' },
    'a number': { 'src/kube/a.ts': 'export const timeoutMs = 5;' },
    'a table that is read only': { 'src/kube/a.ts': 'const a: Readonly<Record<string, number>> = { b: 1 };' },
    'a table that nobody changes': {
      'src/kube/a.ts': 'const a = { b: 1 };\nexport const f = () => a.b + 1;',
    },
    'a value of a function that has the name of a constant': {
      'src/kube/a.ts':
        'const cell = { n: 0 };\nfunction f(cell) { cell.n = 1; }\nexport const g = () => { const cell = { n: 0 }; cell.n++; return cell; };',
    },
    'state in a function': {
      'src/kube/a.ts': 'const a = () => { let n = 0; const m = new Map(); return [m, n]; };',
    },
    'state in an instance': { 'src/kube/a.ts': 'class A { #count = 0; readonly seen = new Set(); }' },
    'a composition root': { 'src/bin/a.ts': 'let count = 0;' },
  },
};

function checkFile(file: SourceFile): readonly Violation[] {
  const root = file.visits()[0]?.node;
  if (root === undefined) return [];
  const made = walk(root, isAtModuleLevel).flatMap((visit) => {
    const found = stateOf(visit);
    if (found === null) return [];
    const message = `${found} at module level; let an instance own it, or type it ReadonlyMap, ReadonlySet, Readonly<Record> or readonly`;
    return [violation(file, visit.node.start, message)];
  });
  const changed = changesIn(root, file.visits()).map(({ start }) =>
    violation(file, start, 'changes what belongs to a module; let an instance own it'),
  );
  return [...made, ...changed];
}

// The fields of an instance are made with it, unlike the static ones of its class.
function isAtModuleLevel(node: SyntaxNode): boolean {
  return !isFunction(node) && (node.type !== 'PropertyDefinition' || node['static'] === true);
}

function stateOf({ node, parent }: Visit): string | null {
  switch (node.type) {
    case 'VariableDeclaration':
      return isModuleVariable(node, parent) ? String(node['kind']) : null;
    case 'PropertyDefinition':
      return node['readonly'] === true ? null : 'a static field that can change';
    case 'ArrayExpression':
      return isOpenList(node, parent) ? 'an empty list that can grow' : null;
    case 'VariableDeclarator':
      return wordOf(child(annotationOf(node), 'typeName')) === 'Record' ? 'a table that can change' : null;
    case 'CallExpression':
      return isMaking(child(node, 'callee')) ? 'what is made by a call' : null;
    case 'NewExpression':
      return isState(node, parent) ? `new ${rootWordOf(node) ?? 'instance'}` : null;
    default:
      return null;
  }
}

/** By a function that says so, or by one that runs at once. */
function isMaking(callee: SyntaxNode | null): boolean {
  const inner = callee?.type === 'ParenthesizedExpression' ? child(callee, 'expression') : callee;
  return inner !== null && (isFunction(inner) || makers.test(wordOf(inner) ?? ''));
}

// A `let` inside of a block is gone with the block; a `var` is not.
function isModuleVariable(node: SyntaxNode, parent: SyntaxNode | null): boolean {
  if (node['kind'] === 'const') return false;
  return node['kind'] === 'var' || parent?.type === 'Program' || parent?.type === 'ExportNamedDeclaration';
}

function isOpenList(node: SyntaxNode, parent: SyntaxNode | null): boolean {
  if (parent?.type !== 'VariableDeclarator' || children(node, 'elements').length > 0) return false;
  const type = annotationOf(parent);
  return type === null || type.type === 'TSArrayType' || wordOf(child(type, 'typeName')) === 'Array';
}

function isState(node: SyntaxNode, parent: SyntaxNode | null): boolean {
  const name = rootWordOf(node) ?? '';
  if (collections.test(name))
    return !readonlyTypes.test(wordOf(child(annotationOf(parent), 'typeName')) ?? '');
  return !stateless.test(name);
}

/** The type that a declaration, a field or an `as` gives to its value. */
function annotationOf(owner: SyntaxNode | null): SyntaxNode | null {
  if (owner?.type === 'TSAsExpression') return child(owner, 'typeAnnotation');
  return child(child(child(owner, 'id') ?? owner, 'typeAnnotation'), 'typeAnnotation');
}

/** Assignments to fields of what is declared or imported at module level, wherever in the file they are. */
function changesIn(root: SyntaxNode, visits: readonly Visit[]): readonly SyntaxNode[] {
  const shared = new Set(children(root, 'body').flatMap(boundIn));
  const functions = visits.map(({ node }) => node).filter(isFunction);
  return visits.flatMap(({ node }) => {
    const name = changedWordOf(node);
    if (name === null || !shared.has(name)) return [];
    const isOwn = functions.some(
      (each) => each.start <= node.start && node.end <= each.end && walk(each).some(binds(name)),
    );
    return isOwn ? [] : [node];
  });
}

/** The names that a statement of the module gives to constants and to what it imports. */
function boundIn(statement: SyntaxNode): readonly string[] {
  const inner = child(statement, 'declaration') ?? statement;
  const bound = [
    ...children(inner, 'declarations').map((each) => child(each, 'id')),
    ...children(inner, 'specifiers').map((each) => child(each, 'local')),
  ];
  return bound.flatMap((each) => wordOf(each) ?? []);
}

/** The name at the root of the field that an assignment changes: `cell` of `cell.count++`. */
function changedWordOf(node: SyntaxNode): string | null {
  const isDeletion = node.type === 'UnaryExpression' && node['operator'] === 'delete';
  const target =
    node.type === 'AssignmentExpression'
      ? child(node, 'left')
      : node.type === 'UpdateExpression' || isDeletion
        ? child(node, 'argument')
        : null;
  return target?.type === 'MemberExpression' ? rootWordOf(target) : null;
}

// Where a name is a parameter or a variable of a function, all of the function means that one.
function binds(name: string): (visit: Visit) => boolean {
  return ({ node, parent, field }) =>
    wordOf(node) === name &&
    (/^(?:params?|id|local|left|argument)$/.test(field) || parent?.type === 'Property') &&
    parent?.type !== 'AssignmentExpression' &&
    parent?.type !== 'UpdateExpression' &&
    parent?.type !== 'UnaryExpression';
}
