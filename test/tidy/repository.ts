// Reads the repository's own text files: what git tracks and what it would track. Never what it ignores.

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type SourceFile, sourceFile } from './source.ts';

export function readRepository(root: string): readonly SourceFile[] {
  const listing = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate'];
  const paths = execFileSync('git', listing, { cwd: root, encoding: 'utf8' }).split('\0');
  return paths
    .filter((path) => path !== '' && existsSync(join(root, path)))
    .map((path) => sourceFile(path, readFileSync(join(root, path), 'utf8')))
    .filter((file) => !file.text.includes('\0'));
}
