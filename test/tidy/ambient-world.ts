// Time, randomness, environment and terminal come in through ports, so that a simulator can own them. Only the folders
// that make those ports, and the command line, may touch the real ones.

import { folderOf, inspect, isProduction, type Rule } from './rule.ts';
import { child, children, type SourceFile, type SyntaxNode, type Visit, wordOf } from './source.ts';

const makers = /^(?:base|bin|cli)$/;
const globals = /^(?:setTimeout|setInterval|setImmediate|console)$/;
const modules = /^(?:node:)?(?:timers(?:\/promises)?|console|perf_hooks)$/;
/** What gives the same for the same input, and nothing by lot. */
const pureCrypto = /^(?:createHash|createHmac|hash|timingSafeEqual|X509Certificate|createPublicKey)$/;
const members: Readonly<Record<string, RegExp>> = {
  globalThis: /^(?:setTimeout|setInterval|setImmediate|console|Date|Math|performance|process|crypto)$/,
  Date: /^now$/,
  Math: /^random$/,
  AbortSignal: /^timeout$/,
  performance: /^(?:now|timeOrigin)$/,
  process: /^(?:env|hrtime|uptime|nextTick)$/,
  crypto: /^(?:randomUUID|getRandomValues)$/,
};
/** Whose members are judged one by one, which needs them to keep their names. */
const owners = /^(?:Date|performance|process|crypto)$/;
/** Answers by the language of the machine when no language is named: the first argument but for comparisons, where it is the second. */
const localeMembers: Readonly<Record<string, number>> = {
  localeCompare: 1,
  toLocaleString: 0,
  toLocaleDateString: 0,
  toLocaleTimeString: 0,
  toLocaleLowerCase: 0,
  toLocaleUpperCase: 0,
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
    'the monotonic clock as a module': { 'src/kube/a.ts': `import * as p from 'node:perf_hooks';` },
    'the time since the process began': { 'src/kube/a.ts': 'const up = process.uptime();' },
    'a turn of the loop by the process': { 'src/kube/a.ts': 'process.nextTick(run);' },
    'the time of day by the global object': { 'src/kube/a.ts': 'globalThis.Date.now();' },
    'the clock under another name': { 'src/kube/a.ts': 'const D = Date;' },
    'the clock handed on': { 'src/kube/a.ts': 'run(Date);' },
    'the process under another name': { 'src/kube/a.ts': 'const p = process;' },
    'a random name': { 'src/kube/a.ts': 'const id = crypto.randomUUID();' },
    'a random name as a module': { 'src/kube/a.ts': `import { randomUUID } from 'node:crypto';` },
    'all of cryptography': { 'src/kube/a.ts': `import * as crypto from 'node:crypto';` },
    'all of cryptography by its default': { 'src/kube/a.ts': `import crypto from 'node:crypto';` },
    'an order by the language of the machine': {
      'src/kube/a.ts': 'names.sort((a, b) => a.localeCompare(b));',
    },
    'words in the language of the machine': { 'src/kube/a.ts': 'count.toLocaleString();' },
  },
  accepts: {
    'a given date': { 'src/kube/a.ts': 'const date = new Date(now);' },
    'a date that is told apart': {
      'src/kube/a.ts': 'const is = (a: Date) => a instanceof Date && Date.parse(b);',
    },
    'a sum over content': { 'src/kube/a.ts': `import { createHash, timingSafeEqual } from 'node:crypto';` },
    'a type of cryptography': { 'src/kube/a.ts': `import type { KeyObject } from 'node:crypto';` },
    'a language that is named': {
      'src/kube/a.ts': `a.localeCompare(b, 'en'); date.toLocaleString('sv-SE', options);`,
    },
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
      return isReference(visit) && (globals.test(wordOf(node) ?? '') || isAlias(visit)) ? wordOf(node) : null;
    case 'MemberExpression':
      return touchedMember(child(node, 'object'), [child(node, 'property')]);
    case 'VariableDeclarator':
      return touchedMember(child(node, 'init'), keysOf(children(child(node, 'id'), 'properties'), 'key'));
    case 'ImportDeclaration':
      return touchedModule(node);
    case 'NewExpression':
    case 'CallExpression':
      return isDateOfNow(node) ? 'the date of now' : ofMachineLanguage(node);
    default:
      return null;
  }
}

// A name after a dot or before a colon is not the global of that name, nor is one that only lends its type.
function isReference({ parent, field }: Visit): boolean {
  if (parent?.type === 'TSTypeQuery' || parent?.type === 'ImportSpecifier') return false;
  return (field !== 'property' && field !== 'key') || parent?.['computed'] === true;
}

// An owner that is not asked for a member, called, made or compared with goes somewhere else under another name. Processes of others
// are called `process` too: that one is only looked for where it gets another name.
function isAlias({ node, parent, field }: Visit): boolean {
  const name = wordOf(node) ?? '';
  if (!owners.test(name)) return false;
  if (parent?.type === 'VariableDeclarator')
    return field === 'init' && child(parent, 'id')?.type === 'Identifier';
  return name !== 'process' && aliasing.test(`${parent?.type}.${field}`);
}

const aliasing =
  /^(?:(?:Call|New)Expression\.arguments|Property\.value|AssignmentExpression\.right|AssignmentPattern\.right|ArrayExpression\.elements|ReturnStatement\.argument|ArrowFunctionExpression\.body|TSAsExpression\.expression)$/;

function ofMachineLanguage(node: SyntaxNode): string | null {
  const name = wordOf(child(child(node, 'callee'), 'property')) ?? '';
  if (!Object.hasOwn(localeMembers, name)) return null;
  return children(node, 'arguments').length > (localeMembers[name] ?? 0)
    ? null
    : `${name} without a language`;
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
  if (/^(?:node:)?crypto$/.test(name)) return isPure(children(node, 'specifiers')) ? null : name;
  if (!/^(?:node:)?process$/.test(name)) return null;
  const imported = keysOf(children(node, 'specifiers'), 'imported').map(wordOf);
  return imported.some((word) => members['process']?.test(word ?? '')) ? name : null;
}

function isPure(specifiers: readonly SyntaxNode[]): boolean {
  return specifiers.every(
    (each) => each['importKind'] === 'type' || pureCrypto.test(wordOf(child(each, 'imported')) ?? ''),
  );
}

function keysOf(nodes: readonly SyntaxNode[], field: string): readonly (SyntaxNode | null)[] {
  return nodes.map((node) => child(node, field));
}

function isDateOfNow(node: SyntaxNode): boolean {
  return wordOf(child(node, 'callee')) === 'Date' && children(node, 'arguments').length === 0;
}
