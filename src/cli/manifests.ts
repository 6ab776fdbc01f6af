// `muster crds`, `muster rbac` and `muster admission`: the generated manifests of this build, as one YAML stream for kubectl.

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { packageRoot } from './package-root.ts';

export function printManifests(folder: 'crds' | 'rbac' | 'admission'): void {
  console.log(
    readManifests(folder)
      .map((text) => text.trimEnd())
      .join('\n'),
  );
}

/** The texts of all files of a folder below config/, in the order of their names. */
export function readManifests(folder: 'crds' | 'rbac' | 'admission' | 'samples' | 'demo'): readonly string[] {
  const directory = path.join(packageRoot(), 'config', folder);
  const files = readdirSync(directory)
    .filter((name) => name.endsWith('.yaml'))
    .sort();
  return files.map((file) => readFileSync(path.join(directory, file), 'utf8'));
}
