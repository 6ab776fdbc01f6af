// TypeBox schemas exist at build time only: CRDs are generated from them and types derived. None may be in a bundle.

import { type Import, importsOf } from './imports.ts';
import { folderOf, isProduction, type Rule, violation } from './rule.ts';
import type { SourceFile } from './source.ts';

const schema = `import { Type } from 'typebox';`;

export const schemaImports: Rule = {
  name: 'schema-imports',
  check(files) {
    const production = files.filter(isProduction);
    const carriers = carriersAmong(production.filter(({ path }) => folderOf(path) === 'api'));
    return production
      .filter(({ path }) => folderOf(path) !== 'api')
      .flatMap((file) => importsOf(file).flatMap((entry) => refusals(file, entry, carriers)));
  },
  refuses: {
    'typebox outside of api': { 'src/kube/a.ts': schema },
    'a type of typebox outside of api': { 'src/kube/a.ts': `import type { Static } from 'typebox';` },
    'a schema file imported by value': {
      'src/api/node.ts': schema,
      'src/bin/a.ts': `import { nodeSchema } from '../api/node.ts';`,
    },
    'a file that brings a schema file along': {
      'src/api/node.ts': schema,
      'src/api/crds.ts': `export { nodeSchema } from './node.ts';`,
      'src/cli/a.ts': `import { crds } from '../api/crds.ts';`,
    },
  },
  accepts: {
    'the types of a schema file': {
      'src/api/node.ts': schema,
      'src/fleet/a.ts': `import type { Node } from '../api/node.ts';`,
    },
    'a file that uses schema files as types': {
      'src/api/node.ts': schema,
      'src/api/stage.ts': `import type { Node } from './node.ts';`,
      'src/fleet/a.ts': `import { stage } from '../api/stage.ts';`,
    },
  },
};

function refusals(file: SourceFile, { target, kind, offset }: Import, carriers: ReadonlySet<string>) {
  if (isTypebox(target)) {
    return [
      violation(file, offset, `imports ${target}; schemas belong to src/api, take their types from there`),
    ];
  }
  if (kind === 'type' || !carriers.has(target)) return [];
  return [
    violation(file, offset, `loads typebox through ${target}; use \`import type\`, or split that file`),
  ];
}

/** Files that load typebox when they are loaded, by themselves or through each other. */
function carriersAmong(files: readonly SourceFile[]): ReadonlySet<string> {
  const carriers = new Set<string>();
  const carries = ({ target, kind }: Import) =>
    kind === 'value' && (isTypebox(target) || carriers.has(target));
  let before: number;
  do {
    before = carriers.size;
    for (const file of files) if (importsOf(file).some(carries)) carriers.add(file.path);
  } while (carriers.size > before);
  return carriers;
}

function isTypebox(target: string): boolean {
  return /^(?:@sinclair\/)?typebox(?:\/|$)/.test(target);
}
