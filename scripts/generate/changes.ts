// Compares the generated files with those in a tree and brings the tree up to date. Touches nothing that is current, and
// removes what a folder of generated files holds beyond them.

import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type GeneratedFile, generatedFiles, generatedFolders, referencePages } from './files.ts';

export type Change =
  | { readonly kind: 'write'; readonly path: string; readonly text: string }
  | { readonly kind: 'remove'; readonly path: string };

export async function findChanges(root: string): Promise<readonly Change[]> {
  const pages = new Map<string, string>();
  for (const path of referencePages) pages.set(path, await readFile(join(root, path), 'utf8'));
  const files = generatedFiles(pages);
  return [...(await outdated(root, files)), ...(await orphaned(root, files))];
}

export async function applyChanges(root: string, changes: readonly Change[]): Promise<void> {
  for (const change of changes) {
    const path = join(root, change.path);
    if (change.kind === 'remove') await rm(path);
    else {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, change.text);
    }
  }
}

async function outdated(root: string, files: readonly GeneratedFile[]): Promise<readonly Change[]> {
  const changes: Change[] = [];
  for (const { path, text } of files) {
    const file = join(root, path);
    const isCurrent = existsSync(file) && (await readFile(file, 'utf8')) === text;
    if (!isCurrent) changes.push({ kind: 'write', path, text });
  }
  return changes;
}

async function orphaned(root: string, files: readonly GeneratedFile[]): Promise<readonly Change[]> {
  const expected = new Set(files.map(({ path }) => path));
  const changes: Change[] = [];
  for (const folder of generatedFolders) {
    const names = existsSync(join(root, folder)) ? await readdir(join(root, folder)) : [];
    const paths = names.map((name) => `${folder}/${name}`).filter((path) => !expected.has(path));
    changes.push(...paths.map((path) => ({ kind: 'remove', path }) as const));
  }
  return changes;
}
