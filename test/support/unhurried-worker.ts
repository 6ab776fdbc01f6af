// A stage of the simulated world: a worker whose image cannot be run here takes a while, and then passes with a whole report of
// its own attempt. So there is time to see it run.

import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { workerLabels, workerLabelValues } from '../../src/api/keys.ts';
import { formatReport } from '../../src/base/worker-report.ts';

const stage = 'unhurried-worker-passes';

/** Returns the folder of the stage. */
export function unhurriedWorkers(parent: string, seconds: number, checkIds: readonly string[]): string {
  const passed = { severity: 'required', verdict: 'pass', code: '', message: '', ms: 20, tries: 1 } as const;
  const message = formatReport({
    nodeName: '{node}',
    nodeUID: '{nodeUID}',
    nonce: '{env.VERIFICATION_NONCE}',
    verdict: 'pass',
    isComplete: true,
    isForAnnotation: false,
    checks: checkIds.map((id) => ({ ...passed, id })),
    problems: [],
  });
  const folder = path.join(parent, 'stages');
  mkdirSync(folder);
  writeFileSync(
    path.join(folder, `${stage}.yaml`),
    JSON.stringify({
      stage,
      about: 'A worker passes after a while.',
      of: 'Pod',
      from: 'Running',
      selector: { matchLabels: { [workerLabels.component]: workerLabelValues.component } },
      priority: 100,
      delay: { for: `${seconds}s` },
      next: { phase: 'Ended', exit: { code: 0, reason: 'Completed', message } },
    }),
  );
  return folder;
}
