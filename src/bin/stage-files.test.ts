import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { formatProblem } from '../base/result.ts';
import { readStages } from './stage-files.ts';

const stage = (name: string, about = 'Something.') =>
  `stage: ${name}\nabout: ${about}\nof: Node\nfrom: Ready\nnext: { phase: Silent }\n`;

describe('folders of stage files', () => {
  let root = '';
  const put = async (file: string, text: string) => {
    await mkdir(path.dirname(path.join(root, file)), { recursive: true });
    await writeFile(path.join(root, file), text);
  };
  const read = (...folders: string[]) => readStages(folders.map((folder) => path.join(root, folder)));
  const problems = async (...folders: string[]) => {
    const stages = await read(...folders);
    return stages.kind === 'error'
      ? stages.error.map((each) => formatProblem(each).replaceAll(root, ''))
      : [];
  };

  beforeEach(async () => void (root = await mkdtemp(path.join(tmpdir(), 'muster-stages-'))));
  afterEach(() => rm(root, { recursive: true, force: true }));

  it('are read in order, and a later stage takes the place of an earlier one of its name', async () => {
    await put('one/node-a.yaml', stage('node-a', 'First.'));
    await put('one/node-b.yaml', stage('node-b'));
    await put('two/node-a.yaml', stage('node-a', 'Second.'));
    await put('two/notes.txt', 'not a stage');
    const stages = await read('one', 'two');
    expect(stages.kind === 'ok' && stages.value.map(({ name, about }) => `${name} ${about}`)).toEqual([
      'node-a Second.',
      'node-b Something.',
    ]);
  });

  it('are refused with every problem of every file', async () => {
    await put('one/node-a.yaml', stage('node-b'));
    await put('one/node-c.yaml', 'stage: [');
    await put('two/node-d.yaml', stage('node-d').replace('Ready', 'Asleep'));
    await put('three/notes.txt', '');
    expect(await problems('one', 'two', 'three', 'four')).toEqual([
      '/one/node-a.yaml: stage: must be node-a, the name of the file, not node-b',
      expect.stringMatching(/^\/one\/node-c\.yaml: /),
      expect.stringMatching(/^\/two\/node-d\.yaml: from: must be one of Absent, /),
      '/three: holds no stage file (*.yaml)',
      expect.stringMatching(/^\/four: ENOENT/),
    ]);
  });
});
