import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { inputsOf, isCurrent, markCurrent } from './build-mark.ts';

describe('a build', () => {
  let root = '';

  beforeEach(async () => {
    root = await mkdtemp(path.join(tmpdir(), 'muster-build-'));
    for (const folder of ['src/sim', 'scripts', 'dist'])
      await mkdir(path.join(root, folder), { recursive: true });
    for (const file of ['src/sim/a.ts', 'package.json', 'package-lock.json'])
      await writeFile(path.join(root, file), '{}');
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  it('is needed when there is none', async () => {
    expect(await isCurrent(root)).toBe(false);
  });

  it('is not needed again until an input changes', async () => {
    await markCurrent(root, await inputsOf(root));
    expect(await isCurrent(root)).toBe(true);
  });

  it.each([
    ['changed', async () => utimes(path.join(root, 'src/sim/a.ts'), 1, 1)],
    ['added', async () => writeFile(path.join(root, 'src/sim/b.yaml'), '')],
    ['removed', async () => rm(path.join(root, 'src/sim/a.ts'))],
  ])('is needed after a file was %s', async (_sentence, change) => {
    await markCurrent(root, await inputsOf(root));
    await change();
    expect(await isCurrent(root)).toBe(false);
  });
});
