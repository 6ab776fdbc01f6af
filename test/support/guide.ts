// The commands of a chapter of a guide, run as they are printed there: by a shell, with kubectl and muster of this tree.

import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { ControlPlane } from '../control-plane/control-plane.ts';
import { musterScript } from './operator-process.ts';

const run = promisify(execFile);
const root = path.resolve(import.meta.dirname, '../..');

/** What stands between backticks below this heading and begins with one of our two programs, in order. */
export async function commandsOf(file: string, heading: string): Promise<readonly string[]> {
  const chapter = await chapterOf(file, heading);
  return [...chapter.matchAll(/`((?:kubectl|muster) [^`]+)`/g)].map(([, command = '']) =>
    command.replace(/\s+/g, ' '),
  );
}

/** The blocks of a chapter in one language, in order. */
export async function blocksOf(
  file: string,
  heading: string,
  language: 'sh' | 'yaml',
): Promise<readonly string[]> {
  const chapter = await chapterOf(file, heading);
  return [...chapter.matchAll(new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``, 'g'))].map(
    ([, block = '']) => block,
  );
}

async function chapterOf(file: string, heading: string): Promise<string> {
  const text = await readFile(path.join(root, file), 'utf8');
  const [, chapter = ''] = text.split(`\n## ${heading}\n`);
  return chapter.split('\n## ')[0] ?? '';
}

/** A shell in an empty directory that finds both programs and the cluster. */
export async function shellFor(plane: ControlPlane): Promise<(command: string) => Promise<string>> {
  const dir = await mkdtemp(path.join(tmpdir(), 'guide-'));
  const programs = {
    kubectl: `exec "${plane.bin('kubectl')}" "$@"`,
    muster: `exec "${process.execPath}" "${musterScript}" "$@"`,
  };
  for (const [name, line] of Object.entries(programs)) {
    await writeFile(path.join(dir, name), `#!/bin/sh\n${line}\n`);
    await chmod(path.join(dir, name), 0o755);
  }
  const env = { ...process.env, PATH: `${dir}:${process.env['PATH']}`, KUBECONFIG: plane.adminKubeconfig };
  return async (command) => {
    const { stdout } = await run('sh', ['-ec', command], { cwd: dir, env, maxBuffer: 2 ** 24 });
    return stdout;
  };
}
