import { describe, expect, it } from 'vitest';
import { parseReport } from '../../src/base/worker-report.ts';
import { usualChecks } from '../../src/checks/usual.ts';
import { fieldsOf, textOf } from '../../src/objects/raw.ts';
import { parseStage } from '../../src/sim/parse-stage.ts';
import { stagesOf } from './stages.ts';

describe('the stages of the bench', () => {
  it('are stages that the simulator understands', () => {
    for (const stage of stagesOf(15)) expect(parseStage(stage)).toMatchObject({ kind: 'ok' });
  });

  it('let a worker end with a whole report', () => {
    const [worker] = stagesOf(15);
    const exit = fieldsOf(fieldsOf(worker?.['next'])['exit']);
    expect(parseReport(textOf(exit['message']))).toMatchObject({
      kind: 'ok',
      value: {
        verdict: 'pass',
        isComplete: true,
        nonce: '{env.VERIFICATION_NONCE}',
        checks: usualChecks.map((id) => ({ id, verdict: 'pass' })),
      },
    });
  });
});
