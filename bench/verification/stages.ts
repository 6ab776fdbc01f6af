// What the simulated world does in this bench, as stage files: a worker takes so long and passes with a whole report about
// its own attempt, and a node that was taken away comes back at once under its name.

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { workerLabels, workerLabelValues } from '../../src/api/keys.ts';
import { usualChecks } from '../../src/checks/usual.ts';

const report = {
  version: 1,
  node: '{node}',
  uid: '{nodeUID}',
  nonce: '{env.VERIFICATION_NONCE}',
  verdict: 'pass',
  complete: true,
  // A report that leaves out a check is no pass.
  pass: Object.fromEntries(usualChecks.map((name) => [name, { ms: 20 }])),
};

type StageFile = { readonly stage: string; readonly [field: string]: unknown };

export function stagesOf(workerSeconds: number): readonly StageFile[] {
  return [
    {
      stage: 'bench-worker-passes',
      about: 'A worker of the bench passes after a while.',
      of: 'Pod',
      from: 'Running',
      selector: { matchLabels: { [workerLabels.component]: workerLabelValues.component } },
      priority: 100,
      delay: { for: `${workerSeconds}s` },
      next: { phase: 'Ended', exit: { code: 0, reason: 'Completed', message: JSON.stringify(report) } },
    },
    {
      stage: 'node-is-replaced',
      about: 'A new machine joins at once under the name of one that was taken away.',
      of: 'Node',
      from: 'Removed',
      delay: { for: '200ms', jitter: '500ms' },
      next: {
        phase: 'Starting',
        object: 'create',
        kubelet: 'reboot',
        conditions: [{ type: 'Ready', status: 'False', reason: 'KubeletNotReady', message: 'starting' }],
      },
    },
  ];
}

/** Returns the folder. JSON is YAML too. */
export async function writeStages(parentDir: string, workerSeconds: number): Promise<string> {
  const dir = join(parentDir, `stages-${workerSeconds}`);
  await mkdir(dir, { recursive: true });
  for (const stage of stagesOf(workerSeconds))
    await writeFile(join(dir, `${stage.stage}.yaml`), JSON.stringify(stage, null, 2));
  return dir;
}
