// Time, randomness, environment and terminal come in through ports, so that a simulator can own them. Only the folders
// that make those ports, and the command line, may touch the real ones.

import { folderOf, isProduction, type Rule, violation } from './rule.ts';
import { child, children, type SyntaxNode, type Visit, wordOf } from './source.ts';

const exempt = /^(?:base|bin|cli)$/;
const globals = /^(?:setTimeout|setInterval|setImmediate|console)$/;
const members =
  /^(?:Date\.now|Math\.random|AbortSignal\.timeout|performance\.now|process\.(?:env|hrtime)|globalThis\.(?:setTimeout|setInterval|setImmediate|console))$/;
const modules = /^(?:node:)?(?:timers(?:\/promises)?|console)$/;

export const ambientWorld: Rule = {
  name: 'ambient-world',
  check: (files) =>
    files
      .filter((file) => isProduction(file) && !exempt.test(folderOf(file.path) ?? ''))
      .flatMap((file) =>
        file.visits().flatMap((visit) => {
          const found = touchOf(visit);
          if (found === null) return [];
          return [
            violation(
              file,
              visit.node.start,
              `touches ${found}; take a Clock, Random, Log or option instead`,
            ),
          ];
        }),
      ),
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

function touchOf(visit: Visit): string | null {
  const { node } = visit;
  switch (node.type) {
    case 'Identifier':
      return isReference(visit) && globals.test(wordOf(node) ?? '') ? wordOf(node) : null;
    case 'MemberExpression':
      return touchedMember(node);
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
function isReference({ node, parent, field }: Visit): boolean {
  if (parent === null || parent.type === 'TSTypeQuery' || parent.type === 'ImportSpecifier') return false;
  if (field === 'property') return parent['computed'] === true;
  if (field === 'key') return parent['computed'] === true;
  return node.type === 'Identifier';
}

function touchedMember(node: SyntaxNode): string | null {
  const path = `${wordOf(child(node, 'object'))}.${wordOf(child(node, 'property'))}`;
  return members.test(path) ? path : null;
}

function touchedModule(node: SyntaxNode): string | null {
  const name = wordOf(child(node, 'source')) ?? '';
  if (node['importKind'] === 'type') return null;
  if (modules.test(name)) return name;
  const specifiers = children(node, 'specifiers');
  const takesEnv =
    /^(?:node:)?process$/.test(name) && specifiers.some((one) => wordOf(child(one, 'imported')) === 'env');
  return takesEnv ? 'process.env' : null;
}

function isDateOfNow(node: SyntaxNode): boolean {
  return wordOf(child(node, 'callee')) === 'Date' && children(node, 'arguments').length === 0;
}
