// Whether dist/ is what the sources say: a mark of all inputs, by path, size and time of change. Reading 500 names costs a few
// milliseconds, building a second.

import { createHash } from 'node:crypto';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';

const MARK = 'dist/.inputs';

/** What is bundled, and what bundles it. */
const inputs: readonly string[] = ['src', 'scripts', 'package.json', 'package-lock.json'];

export async function inputsOf(root: string): Promise<string> {
  const hash = createHash('sha256');
  for (const input of inputs) {
    const whole = path.join(root, input);
    const isFolder = (await stat(whole)).isDirectory();
    const names = isFolder ? await readdir(whole, { recursive: true }) : [''];
    const lines = names.sort().map(async (name) => {
      const { size, mtimeMs } = await stat(path.join(whole, name));
      return `${path.join(input, name)} ${size} ${mtimeMs}`;
    });
    for (const line of await Promise.all(lines)) hash.update(`${line}\n`);
  }
  return hash.digest('hex');
}

export async function isCurrent(root: string): Promise<boolean> {
  const marked = await readFile(path.join(root, MARK), 'utf8').catch(() => '');
  return marked === (await inputsOf(root));
}

export async function markCurrent(root: string, mark: string): Promise<void> {
  await writeFile(path.join(root, MARK), mark);
}
