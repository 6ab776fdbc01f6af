// `muster crds`, `muster rbac` and `muster admission`: the generated manifests of this build, as one YAML stream for kubectl.

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { OptionalRight } from '../api/rbac.ts';
import { packageRoot } from './package-root.ts';

type Folder = 'crds' | 'rbac' | 'admission';

export function printManifests(folder: Folder): void {
  print(readManifests(folder));
}

/** The rights that everybody grants, and those for what is switched on. */
export function printRights(rights: readonly OptionalRight[]): void {
  const directory = configFolder('rbac-optional');
  const optional = rights.map((right) => readFileSync(path.join(directory, `${right}.yaml`), 'utf8'));
  print([...readManifests('rbac'), ...optional]);
}

function print(texts: readonly string[]): void {
  console.log(texts.map((text) => text.trimEnd()).join('\n'));
}

function configFolder(folder: string): string {
  return path.join(packageRoot(), 'config', folder);
}

/** The texts of all files of a folder below config/, in the order of their names. */
export function readManifests(folder: Folder | 'samples' | 'demo'): readonly string[] {
  const directory = configFolder(folder);
  const files = readdirSync(directory)
    .filter((name) => name.endsWith('.yaml'))
    .sort();
  return files.map((file) => readFileSync(path.join(directory, file), 'utf8'));
}
