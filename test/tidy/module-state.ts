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
  return walk(root, isAtModuleLevel).flatMap((visit) => {
    const found = stateOf(visit);
    if (found === null) return [];
    const message = `${found} at module level; let an instance own it, or type it ReadonlyMap, ReadonlySet or readonly`;
    return [violation(file, visit.node.start, message)];
  });
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
    case 'NewExpression':
      return isState(node, parent) ? `new ${rootWordOf(node) ?? 'instance'}` : null;
    default:
      return null;
  }
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
