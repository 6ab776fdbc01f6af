// `muster crds` and `muster rbac`: the generated manifests of this build, as one YAML stream for kubectl.

import { readdirSync, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';

export function printManifests(folder: 'crds' | 'rbac'): void {
  const directory = path.join(packageRoot(), 'config', folder);
  const files = readdirSync(directory)
    .filter((name) => name.endsWith('.yaml'))
    .sort();
  console.log(files.map((file) => readFileSync(path.join(directory, file), 'utf8').trimEnd()).join('\n'));
}

/** The folder with package.json above the running script, be it source or bundle. */
function packageRoot(): string {
  const script = process.argv[1] ?? '';
  for (let folder = path.dirname(realpathSync(script)); ; folder = path.dirname(folder)) {
    if (readdirSync(folder).includes('package.json')) return folder;
    if (folder === path.dirname(folder)) throw new Error(`config/ was not found beside ${script}`);
  }
}
