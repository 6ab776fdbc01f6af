// `npm run generate`: writes what is derived from src/api: CRDs, RBAC, parts of the chart, tables of the reference.
// With --check it writes nothing, lists what is stale and exits with 1.

import { join } from 'node:path';
import { applyChanges, findChanges } from './generate/changes.ts';

const root = join(import.meta.dirname, '..');
const { argv, stdout, stderr } = process;
const unknown = argv.slice(2).filter((argument) => argument !== '--check');

if (unknown.length > 0) {
  stderr.write(`unknown argument ${unknown.join(' ')}; usage: npm run generate [-- --check]\n`);
  process.exitCode = 2;
} else {
  const changes = await findChanges(root);
  if (!argv.includes('--check')) await applyChanges(root, changes);
  else if (changes.length > 0) {
    stderr.write('Stale; run `npm run generate` and commit the result.\n');
    process.exitCode = 1;
  }
  for (const { kind, path } of changes) stdout.write(`${kind} ${path}\n`);
}
