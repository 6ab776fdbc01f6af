// Deciding never waits. What gathers, decides and reports, the centre and the vocabulary of objects are plain functions.

import { isProduction, type Rule, violation } from './rule.ts';
import { isFunction, type SyntaxNode, type Visit, wordOf } from './source.ts';

const waitless = [
  /\/(?:gather|decide|report)\.tsx?$/,
  /^src\/capabilities\/[^/]+\/policies\//,
  /^src\/(?:fleet|objects)\//,
];

export const synchronous: Rule = {
  name: 'synchronous',
  check: (files) =>
    files
      .filter((file) => isProduction(file) && waitless.some((place) => place.test(file.path)))
      .flatMap((file) =>
        file.visits().flatMap((visit) => {
          const found = waitOf(visit);
          if (found === null) return [];
          const message = `${found} in a place that never waits; return data, and let the caller do I/O`;
          return [violation(file, visit.node.start, message)];
        }),
      ),
  refuses: {
    'an async decision': { 'src/capabilities/readiness/decide.ts': 'async function decide() {}' },
    'an async gathering': { 'src/capabilities/readiness/gather.ts': 'const gather = async () => 1;' },
    'an async report': { 'src/capabilities/readiness/report.ts': 'const a = { async report() {} };' },
    'a policy that awaits': { 'src/capabilities/readiness/policies/a.ts': 'const a = await b;' },
    'a promise in the centre': { 'src/fleet/store.ts': 'const a = Promise.resolve(1);' },
    'a promised type among the objects': { 'src/objects/a.ts': 'type A = { readonly b: Promise<number> };' },
    'a loop that awaits': { 'src/fleet/store.ts': 'for await (const a of b) c(a);' },
  },
  accepts: {
    'plain functions': { 'src/capabilities/readiness/decide.ts': 'function decide() {}' },
    'async wiring': { 'src/kube/a.ts': 'async function a() {}' },
    'async tests': { 'src/fleet/store.test.ts': 'async function a() {}' },
    'words and members': {
      'src/fleet/store.ts': `// A Promise is not used.\nconst a = { Promise: 1, async: 'await' };`,
    },
  },
};

function waitOf({ node, parent, field }: Visit): string | null {
  if (isFunction(node)) return node['async'] === true ? 'async' : null;
  if (node.type === 'AwaitExpression' || isAwaitingLoop(node)) return 'await';
  const isName = (field === 'key' || field === 'property') && parent?.['computed'] !== true;
  return !isName && /^Promise(?:Like)?$/.test(wordOf(node) ?? '') && node.type === 'Identifier'
    ? 'Promise'
    : null;
}

function isAwaitingLoop(node: SyntaxNode): boolean {
  return node.type === 'ForOfStatement' && node['await'] === true;
}
