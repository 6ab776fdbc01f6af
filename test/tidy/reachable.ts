// Every file that is shipped is used: the composition roots in src/bin lead to it, by value or by type.

import { importsOf } from './imports.ts';
import { folderOf, isProduction, type Rule, violation } from './rule.ts';
import type { SourceFile } from './source.ts';

export const reachable: Rule = {
  name: 'reachable',
  check(files) {
    const production = files.filter(isProduction);
    const reached = reachFromRoots(production);
    return production
      .filter(({ path }) => !reached.has(path))
      .map((file) => violation(file, 0, 'is reached from no file in src/bin; use it or delete it'));
  },
  refuses: {
    'a file that nothing imports': { 'src/bin/a.ts': '', 'src/base/b.ts': '' },
    'a file that only its test imports': {
      'src/base/b.ts': '',
      'src/base/b.test.ts': `import { b } from './b.ts';`,
    },
    'a file that imports others and is imported by none': {
      'src/bin/a.ts': `import { b } from '../base/b.ts'; import { c } from '../base/c.ts';`,
      'src/base/b.ts': '',
      'src/base/c.ts': '',
      'src/base/d.ts': `import { b } from './b.ts';`,
    },
  },
  accepts: {
    'what is reached over several steps, by value, type, export or lazily': {
      'src/bin/a.ts': `import { b } from '../base/b.ts';`,
      'src/base/b.ts': `import type { C } from './c.ts';`,
      'src/base/c.ts': `export * from './d.ts';`,
      'src/base/d.ts': `const e = () => import('./e.ts');`,
      'src/base/e.ts': `const f = new Worker(new URL('./f.ts', import.meta.url));`,
      'src/base/f.ts': '',
    },
    'files that import each other': {
      'src/bin/a.ts': `import { b } from '../base/b.ts';`,
      'src/base/b.ts': `import { c } from './c.ts';`,
      'src/base/c.ts': `import { b } from './b.ts';`,
    },
  },
};

function reachFromRoots(files: readonly SourceFile[]): ReadonlySet<string> {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const reached = new Set([...byPath.keys()].filter((path) => folderOf(path) === 'bin'));
  // A set is iterated in the order of insertion, what is added on the way included: it is its own queue.
  for (const path of reached) {
    const file = byPath.get(path);
    if (file !== undefined) for (const { target } of importsOf(file)) reached.add(target);
  }
  return reached;
}
