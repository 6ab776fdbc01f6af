// Reads stage files from folders: the built-in ones and those of the user. A later folder replaces a stage of the same name.
// Every problem of every file is found in one go.

import { existsSync, realpathSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { err, ok, type Problem, type Result } from '../base/result.ts';
import { parseYaml } from '../kube/yaml.ts';
import { parseStage } from '../sim/parse-stage.ts';
import type { Stage } from '../sim/stage.ts';

export type StageSet = 'world' | 'demo';

/** Beside the bundle, or among the sources when run from there. */
export function builtInStages(set: StageSet): string {
  const folder = path.dirname(realpathSync(process.argv[1] ?? ''));
  const beside = path.join(folder, 'stages', set);
  return existsSync(beside) ? beside : path.join(folder, '..', 'sim', 'stages', set);
}

export async function readStages(
  folders: readonly string[],
): Promise<Result<readonly Stage[], readonly Problem[]>> {
  const stages = new Map<string, Stage>();
  const problems: Problem[] = [];
  for (const folder of folders) {
    const files = await filesIn(folder);
    if (files.kind === 'error') problems.push({ path: folder, message: files.error });
    else
      for (const file of files.value) {
        const stage = await readStage(path.join(folder, file));
        if (stage.kind === 'ok') stages.set(stage.value.name, stage.value);
        else problems.push(...stage.error.map((problem) => inFile(path.join(folder, file), problem)));
      }
  }
  return problems.length === 0 ? ok([...stages.values()]) : err(problems);
}

async function filesIn(folder: string): Promise<Result<readonly string[], string>> {
  try {
    const files = (await readdir(folder)).filter((file) => /\.ya?ml$/.test(file)).sort();
    return files.length === 0 ? err('holds no stage file (*.yaml)') : ok(files);
  } catch (error) {
    return err(error instanceof Error ? error.message : String(error));
  }
}

async function readStage(file: string): Promise<Result<Stage, readonly Problem[]>> {
  const raw = await parseYaml(await readFile(file, 'utf8'));
  if (raw.kind === 'error') return err([{ path: '', message: raw.error }]);
  const stage = parseStage(raw.value);
  const name = path.basename(file).replace(/\.ya?ml$/, '');
  if (stage.kind === 'ok' && stage.value.name !== name)
    return err([
      { path: 'stage', message: `must be ${name}, the name of the file, not ${stage.value.name}` },
    ]);
  return stage;
}

function inFile(file: string, { path: field, message }: Problem): Problem {
  return { path: field === '' ? file : `${file}: ${field}`, message };
}
