// Nodes whose policy checks them against others, and what control workers and the workers that they answer say.

import { workerLabels } from '../../src/api/keys.ts';
import type { CheckVerdict } from '../../src/base/worker-report.ts';
import { fieldsOf, type RawObject, recordsIn, textOf } from '../../src/objects/raw.ts';
import { podType } from '../../src/objects/ref.ts';
import { type VerificationStart, verificationScene, verifiedLabel } from './verification-scene.ts';

type Scene = ReturnType<typeof verificationScene>;

export const checks = [{ name: 'dns' }, { name: 'peer-echo' }, { name: 'mtu' }];
export const labelled = { labels: { [verifiedLabel]: 'true' }, taints: [] };

/** A fleet of verified nodes, and one that has just joined. */
export async function fleet(verified: readonly string[], spec: object = {}, options: VerificationStart = {}) {
  const scene = verificationScene();
  scene.putPolicy('all', { checks, ...spec });
  const running = scene.start(options);
  for (const name of verified) scene.join(name, labelled);
  await scene.run(5_000);
  scene.join('new');
  await scene.run(4_000);
  return { ...scene, running };
}

export const cordoned = (raw: RawObject) => ({
  ...raw,
  spec: { ...fieldsOf(raw.spec), unschedulable: true },
});

export function configOf(pod: RawObject | undefined) {
  const [container] = recordsIn(fieldsOf(pod?.spec)['containers']);
  const config = recordsIn(container?.['env']).find(({ name }) => name === 'WORKER_CONFIG');
  return JSON.parse(textOf(config?.['value']) || '{}');
}

export const peersOf = (pod: RawObject | undefined) =>
  recordsIn(configOf(pod).checks).find(({ name }) => name === 'peer-echo')?.['params'];

export const wordsOn = ({ running }: Pick<Awaited<ReturnType<typeof fleet>>, 'running'>, name: string) =>
  running.store.get(name)?.verdicts.find(({ capability }) => capability === 'verification')?.message;

export const result = (
  id: string,
  verdict: CheckVerdict,
  severity: 'required' | 'advisory' = 'required',
) => ({
  id,
  severity,
  verdict,
  code: verdict === 'pass' ? '' : 'PacketLoss',
  message: '',
  ms: 1,
  tries: 1,
});

type Besides = { readonly dns?: CheckVerdict; readonly node?: string };

export function workerSays(
  scene: Scene,
  echo: CheckVerdict,
  { dns = 'pass', node = 'new' }: Besides = {},
): void {
  scene.workerRuns(node);
  const all = [result('dns', dns), result('peer-echo', echo), result('mtu', 'pass')];
  const [exitCode, reason] = echo === 'pass' ? [0, 'Completed'] : [1, 'Error'];
  scene.workerEnds(node, { exitCode, reason, report: { verdict: echo, checks: all } });
}

export async function bothEcho(scene: Awaited<ReturnType<typeof fleet>>): Promise<void> {
  for (const [index, node] of scene.controlNodes().entries())
    scene.controlEchoes(node, `10.0.0.${index + 1}`);
  await scene.run(2_000);
}

/** Those that have said nothing yet, each at an address of its own. */
export function othersEcho({ api, pods }: Scene): void {
  const conditions = [{ type: 'Ready', status: 'True' }];
  for (const [index, pod] of pods().entries())
    if (pod.metadata?.labels?.[workerLabels.component] === 'control' && pod.status === undefined)
      api.put(podType, { ...pod, status: { phase: 'Running', podIP: `10.0.1.${index}`, conditions } });
}
