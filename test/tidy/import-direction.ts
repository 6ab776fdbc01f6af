// Which folder under src may import which. The table is the architecture; what is not in it is refused.

import { type Import, importsOf } from './imports.ts';
import { folderOf, isProduction, isTest, type Rule, type Violation, violation } from './rule.ts';
import type { SourceFile } from './source.ts';

type Permission = { readonly values: readonly string[]; readonly types: readonly string[] };

const contract = ['base', 'objects', 'api'];
const centre = [...contract, 'fleet'];
const words = [...centre, 'present'];

const table: Readonly<Record<string, Permission>> = {
  base: may([]),
  objects: may(['base']),
  checks: may(['base']),
  gotemplate: may(['base']),
  api: may(['base', 'objects']),
  fleet: may(contract),
  present: may(centre),
  kube: may(['base', 'objects'], ['runtime']),
  cloud: may(['base', 'objects'], ['runtime']),
  runtime: may(words),
  capabilities: may(centre, ['runtime']),
  apiserver: may(contract),
  sim: may([...contract, 'apiserver']),
  server: may(words, ['runtime']),
  cli: may([...words, 'kube', 'cloud', 'runtime', 'capabilities', 'checks', 'gotemplate', 'server']),
  web: may(['present'], ['server']),
};

function may(values: readonly string[], types: readonly string[] = []): Permission {
  return { values, types };
}

export const importDirection: Rule = {
  name: 'import-direction',
  check: (files) => files.filter(isProduction).flatMap(checkFile),
  refuses: {
    'a value from a folder above': { 'src/base/a.ts': `import { b } from '../objects/b.ts';` },
    'a type from a folder above': { 'src/api/a.ts': `import type { B } from '../fleet/b.ts';` },
    'a re-export from a folder above': { 'src/objects/a.ts': `export * from '../api/b.ts';` },
    'a lazy import from a folder above': { 'src/base/a.ts': `const b = () => import('../kube/b.ts');` },
    'an import type from a folder above': { 'src/base/a.ts': `type B = import('../kube/b.ts').B;` },
    'a value where only types may pass': { 'src/kube/a.ts': `import { b } from '../runtime/ports.ts';` },
    'an inline type where only types may pass': {
      'src/kube/a.ts': `import { type B } from '../runtime/ports.ts';`,
    },
    'one capability in another': {
      'src/capabilities/readiness/decide.ts': `import { b } from '../insights/decide.ts';`,
    },
    "a capability's insides in the command line": {
      'src/cli/a.ts': `import { b } from '../capabilities/readiness/decide.ts';`,
    },
    'a composition root in anything else': { 'src/cli/a.ts': `import { b } from '../bin/b.ts';` },
    'the embedded server in the command line': { 'src/cli/a.ts': `import { b } from '../apiserver/b.ts';` },
    'a folder that the table does not know': { 'src/extras/a.ts': '' },
    'a file in no folder': { 'src/a.ts': '' },
    'a capability without a folder of its own': { 'src/capabilities/all.ts': '' },
    'test code in production': { 'src/kube/a.ts': `import { b } from '../../test/support/b.ts';` },
    'a test file in production': { 'src/kube/a.ts': `import { b } from './b.test.ts';` },
  },
  accepts: {
    'its own folder': { 'src/base/a.ts': `import { b } from './b.ts';` },
    'types of a port': { 'src/kube/a.ts': `import type { B } from '../runtime/ports.ts';` },
    packages: { 'src/base/a.ts': `import { hash } from 'node:crypto';` },
    'a composition root that imports everything': {
      'src/bin/a.ts': `import { b } from '../capabilities/readiness/decide.ts'; import { c } from '../sim/c.ts';`,
    },
    "a capability's wiring in the command line": {
      'src/cli/a.ts': `import { b } from '../capabilities/readiness/capability.ts';`,
    },
    'a test that imports anything': { 'src/base/a.test.ts': `import { b } from '../../test/support/b.ts';` },
    'an import that is only spoken of': { 'src/base/a.ts': `// import { b } from '../objects/b.ts';` },
  },
};

function checkFile(file: SourceFile): readonly Violation[] {
  if (!hasPlace(file.path)) {
    return [
      violation(file, 0, 'lies in no folder of the house; move it into one, or decide on a new folder first'),
    ];
  }
  return importsOf(file)
    .filter((entry) => !isAllowed(file.path, entry))
    .map((entry) => violation(file, entry.offset, refusal(file.path, entry)));
}

function hasPlace(path: string): boolean {
  const folder = folderOf(path);
  if (folder === 'capabilities') return /^src\/capabilities\/[^/]+\//.test(path);
  return folder === 'bin' || (folder !== null && Object.hasOwn(table, folder));
}

function isAllowed(from: string, { target, kind }: Import): boolean {
  if (isTestCode(target)) return false;
  const [source, wanted] = [folderOf(from), folderOf(target)];
  if (wanted === null || source === null || source === 'bin') return true;
  if (source === wanted) return source !== 'capabilities' || capabilityOf(from) === capabilityOf(target);
  if (wanted === 'capabilities' && !target.endsWith('/capability.ts')) return false;
  const permission = table[source] ?? may([]);
  return permission.values.includes(wanted) || (kind === 'type' && permission.types.includes(wanted));
}

function isTestCode(path: string): boolean {
  return /^(?:test|bench|scripts)\//.test(path) || isTest({ path });
}

function capabilityOf(path: string): string | undefined {
  return path.split('/')[2];
}

function refusal(from: string, { target, kind }: Import): string {
  if (isTestCode(target)) return `imports ${target}, which is not shipped; move what is needed into src`;
  const source = folderOf(from) ?? '';
  const { values, types } = table[source] ?? may([]);
  const allowed = [...values.map(shareOf), ...types.map((folder) => `types of ${folder}`)].join(', ');
  const what = kind === 'type' ? `the types of ${target}` : target;
  return `imports ${what}, but ${source} may import ${allowed || 'nothing of ours'}; move the shared part down or pass it in as a port`;
}

function shareOf(folder: string): string {
  return folder === 'capabilities' ? 'capability.ts of capabilities' : folder;
}
