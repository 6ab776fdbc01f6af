// Time, randomness, environment and terminal come in through ports, so that a simulator can own them. Only the folders
// that make those ports, and the command line, may touch the real ones.

import { folderOf, inspect, isProduction, type Rule } from './rule.ts';
import { child, children, type SourceFile, type SyntaxNode, type Visit, wordOf } from './source.ts';

const makers = /^(?:base|bin|cli)$/;
const globals = /^(?:setTimeout|setInterval|setImmediate|console)$/;
const modules = /^(?:node:)?(?:timers(?:\/promises)?|console)$/;
const members: Readonly<Record<string, RegExp>> = {
  globalThis: globals,
  Date: /^now$/,
  Math: /^random$/,
  AbortSignal: /^timeout$/,
  performance: /^now$/,
  process: /^(?:env|hrtime)$/,
};

export const ambientWorld: Rule = {
  name: 'ambient-world',
  check: (files) =>
    inspect(files.filter(isDriven), (visit) => {
      const found = touchOf(visit);
      return found === null ? null : `touches ${found}; take a Clock, Random, Log or option instead`;
    }),
  refuses: {
    'the time of day': { 'src/kube/a.ts': 'const now = Date.now();' },
    'the time of day handed on': { 'src/kube/a.ts': 'const clock = { now: Date.now };' },
    'a date of now': { 'src/kube/a.ts': 'const now = new Date();' },
    'the date of now as text': { 'src/kube/a.ts': 'const now = Date();' },
    'a timer': { 'src/kube/a.ts': 'setTimeout(run, 5);' },
    'a repeated timer': { 'src/kube/a.ts': 'setInterval(run, 5);' },
    'a turn of the loop': { 'src/kube/a.ts': 'await new Promise(setImmediate);' },
    'a timer of the global object': { 'src/kube/a.ts': 'globalThis.setTimeout(run, 5);' },
    'a timer put into an object': { 'src/kube/a.ts': 'const timers = { setTimeout };' },
    'a timer as a module': { 'src/kube/a.ts': `import { setTimeout as wait } from 'node:timers/promises';` },
    'a signal that times out by itself': { 'src/kube/a.ts': 'AbortSignal.timeout(5);' },
    randomness: { 'src/kube/a.ts': 'const jitter = Math.random();' },
    'the environment': { 'src/kube/a.ts': `const home = process.env['HOME'];` },
    'the environment as a module': { 'src/kube/a.ts': `import { env } from 'node:process';` },
    'the environment taken apart': { 'src/kube/a.ts': 'const { env } = process;' },
    'the console': { 'src/kube/a.ts': `console.log('a');` },
    'the monotonic clock': { 'src/kube/a.ts': 'performance.now();' },
    'the high-resolution clock': { 'src/kube/a.ts': 'process.hrtime.bigint();' },
  },
  accepts: {
    'a given date': { 'src/kube/a.ts': 'const date = new Date(now);' },
    'members that share a name': { 'src/kube/a.ts': 'clock.setTimeout(run); const a = { console: 1 };' },
    'the type of a timer': { 'src/kube/a.ts': 'type Timer = ReturnType<typeof setTimeout>;' },
    'words and sentences': { 'src/kube/a.ts': `// Date.now() would be wrong.\nconst a = 'Date.now()';` },
    'the makers of ports': {
      'src/base/a.ts': 'Date.now();',
      'src/bin/a.ts': 'process.env;',
      'src/cli/a.ts': 'console;',
    },
    tests: { 'src/kube/a.test.ts': 'Date.now();' },
  },
};

function isDriven(file: SourceFile): boolean {
  return isProduction(file) && !makers.test(folderOf(file.path) ?? '');
}

function touchOf(visit: Visit): string | null {
  const { node } = visit;
  switch (node.type) {
    case 'Identifier':
      return isReference(visit) && globals.test(wordOf(node) ?? '') ? wordOf(node) : null;
    case 'MemberExpression':
      return touchedMember(child(node, 'object'), [child(node, 'property')]);
    case 'VariableDeclarator':
      return touchedMember(child(node, 'init'), keysOf(children(child(node, 'id'), 'properties'), 'key'));
    case 'ImportDeclaration':
      return touchedModule(node);
    case 'NewExpression':
    case 'CallExpression':
      return isDateOfNow(node) ? 'the date of now' : null;
    default:
      return null;
  }
}

// A name after a dot or before a colon is not the global of that name, nor is one that only lends its type.
function isReference({ parent, field }: Visit): boolean {
  if (parent?.type === 'TSTypeQuery' || parent?.type === 'ImportSpecifier') return false;
  return (field !== 'property' && field !== 'key') || parent?.['computed'] === true;
}

function touchedMember(owner: SyntaxNode | null, names: readonly (SyntaxNode | null)[]): string | null {
  const ownerName = owner?.type === 'Identifier' ? (wordOf(owner) ?? '') : '';
  const taken = Object.hasOwn(members, ownerName) ? members[ownerName] : undefined;
  const name = names.map(wordOf).find((word) => word !== null && taken?.test(word));
  return name === undefined ? null : `${ownerName}.${name}`;
}

function touchedModule(node: SyntaxNode): string | null {
  const name = wordOf(child(node, 'source')) ?? '';
  if (node['importKind'] === 'type') return null;
  if (modules.test(name)) return name;
  if (!/^(?:node:)?process$/.test(name)) return null;
  const imported = keysOf(children(node, 'specifiers'), 'imported').map(wordOf);
  return imported.some((word) => members['process']?.test(word ?? '')) ? name : null;
}

function keysOf(nodes: readonly SyntaxNode[], field: string): readonly (SyntaxNode | null)[] {
  return nodes.map((node) => child(node, field));
}

function isDateOfNow(node: SyntaxNode): boolean {
  return wordOf(child(node, 'callee')) === 'Date' && children(node, 'arguments').length === 0;
}
