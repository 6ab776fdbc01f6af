// Deciding never waits. What gathers, decides and reports, the centre and the vocabulary of objects are plain functions.

import { inspect, isProduction, type Rule } from './rule.ts';
import { isFunction, type SourceFile, type Visit, wordOf } from './source.ts';

const waitless = [
  /\/(?:gather|decide|report)\.tsx?$/,
  /^src\/capabilities\/[^/]+\/policies\//,
  /^src\/(?:fleet|objects)\//,
];

export const synchronous: Rule = {
  name: 'synchronous',
  check: (files) =>
    inspect(files.filter(isWaitless), (visit) => {
      const found = waitOf(visit);
      return found === null
        ? null
        : `${found} in a place that never waits; return data, and let the caller do I/O`;
    }),
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

function isWaitless(file: SourceFile): boolean {
  return isProduction(file) && waitless.some((place) => place.test(file.path));
}

function waitOf({ node, parent, field }: Visit): string | null {
  if (isFunction(node)) return node['async'] === true ? 'async' : null;
  if (node.type === 'AwaitExpression') return 'await';
  if (node.type === 'ForOfStatement') return node['await'] === true ? 'await' : null;
  const isName = (field === 'key' || field === 'property') && parent?.['computed'] !== true;
  if (node.type !== 'Identifier' || isName) return null;
  return /^Promise(?:Like)?$/.test(wordOf(node) ?? '') ? 'Promise' : null;
}
