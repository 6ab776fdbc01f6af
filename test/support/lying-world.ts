// A world in which somebody may lie about a node: the real checks run against stubs, and what they say goes to the operator through
// whoever stands between. Opened and closed for one verdict.

import { type CheckVerdict, formatReport, type WorkerReport } from '../../src/base/worker-report.ts';
import type { PlannedCheck } from '../../src/capabilities/verification/policy.ts';
import { endOf } from '../../src/capabilities/verification/worker-end.ts';
import { projectWorker } from '../../src/capabilities/verification/worker-view.ts';
import { readPlan } from '../../src/checks/plan.ts';
import { runPlan, verdictOf } from '../../src/checks/run.ts';
import { usualChecks } from '../../src/checks/usual.ts';
import { loopbackAllowed, openScene, type Scene, type SceneOptions } from './worker-scene.ts';

/** What the API server shows of a worker that has ended. */
type Told = {
  readonly exitCode: number;
  readonly report: WorkerReport;
  /** In place of the report. */
  readonly message?: string;
  readonly containerReason?: string;
  readonly podReason?: string;
  readonly phase?: 'Succeeded' | 'Failed';
  readonly isDisrupted?: true;
};

export type World = {
  readonly verdict: CheckVerdict;
  /** Where the checks run. */
  readonly scene?: SceneOptions;
  /** The usual four unless it says otherwise. */
  readonly checks?: (scene: Scene) => readonly PlannedCheck[];
  /** Of each check; short where somebody stays silent, and else long enough for any machine. */
  readonly timeoutMs?: number;
  /** The worker is told to stop in the middle. */
  readonly isStopped?: true;
  /** What becomes of its word on the way to the operator. */
  readonly relay?: (told: Told) => Told;
};

const asked = { nodeName: 'a', nodeUID: 'uid-a', nonce: 'this-attempt' };
export const one = (name: string, params: PlannedCheck['params'] = {}) => [{ name, params }];
export const reporting = (change: Partial<WorkerReport>) => (told: Told) => ({
  ...told,
  report: { ...told.report, ...change },
});
/** The word of a worker on another node, which is as sound as can be, or as broken. */
const checksOf = (verdict: 'pass' | 'fail') =>
  usualChecks.map((id) => ({
    id,
    severity: 'required' as const,
    verdict,
    code: verdict === 'pass' ? '' : 'Timeout',
    message: '',
    ms: 1,
    tries: 1,
  }));
export const claiming =
  (verdict: 'pass' | 'fail', change: Partial<WorkerReport> = {}) =>
  (told: Told) => ({
    ...reporting({ verdict, checks: checksOf(verdict), ...change })(told),
    exitCode: verdict === 'pass' ? 0 : 1,
  });

/** What the operator concludes in such a world. */
export async function judged({
  scene: options,
  checks,
  isStopped,
  timeoutMs = 5_000,
  relay = (told) => told,
}: World): Promise<CheckVerdict> {
  const scene = await openScene(options);
  const planned = checks?.(scene) ?? usualChecks.map((name) => ({ name }));
  const plan = readPlan(planned, { timeoutMs, triesMax: 1, targets: loopbackAllowed, params: {} });
  if (plan.kind === 'error') throw new Error(JSON.stringify(plan.error));
  const stop = new AbortController();
  if (isStopped) void scene.dns.firstAsked.then(() => stop.abort(new Error('SIGTERM')));
  const results = await runPlan({ plan: plan.value, world: scene.world, stop: stop.signal });
  scene.close();
  const isComplete = results.every(({ code }) => code !== 'Interrupted');
  const verdict = verdictOf(results, isComplete);
  const report = { ...asked, verdict, isComplete, isForAnnotation: false, checks: results, problems: [] };
  const exitCode = { pass: 0, fail: 1, inconclusive: 3 }[verdict];
  return endOf(podOf(relay({ exitCode, report })), { ...asked, planned, custom: [] }).verdict;
}

function podOf({ exitCode, report, podReason, isDisrupted, ...told }: Told) {
  const { message = formatReport(report), containerReason: reason = exitCode === 0 ? 'Completed' : 'Error' } =
    told;
  const status = {
    phase: told.phase ?? (exitCode === 0 ? 'Succeeded' : 'Failed'),
    reason: podReason,
    conditions: isDisrupted ? [{ type: 'DisruptionTarget', status: 'True' }] : [],
    containerStatuses: [{ name: 'worker', state: { terminated: { exitCode, reason, message } } }],
  };
  return projectWorker({ metadata: { name: 'worker', uid: 'pod' }, status }, (text) => text);
}
