// Workers in the simulated cluster: what they are made from, and how a kubelet gets on with them.

import { noCustomChecks } from '../../src/api/custom-check.ts';
import { systemNamespace, workerAnnotations, workerServiceAccount } from '../../src/api/keys.ts';
import { formatReport } from '../../src/base/worker-report.ts';
import type { WorkerTemplate } from '../../src/capabilities/verification/worker-pod.ts';
import { type RawObject, recordsIn, textOf } from '../../src/objects/raw.ts';
import { at } from './oracles/oracle.ts';
import type { WorkerOutcomes } from './cluster.ts';

export const workerTemplate: WorkerTemplate = {
  namespace: systemNamespace,
  image: 'muster',
  pullPolicy: 'IfNotPresent',
  serviceAccountName: workerServiceAccount,
  config: {},
  checks: [{ name: 'dns' }],
  custom: noCustomChecks,
  dnsService: { namespace: 'kube-system', name: 'kube-dns' },
  isReportingToApi: false,
};

/** Null when there is nothing left to do. */
export function nextStatus(pod: RawObject, outcomes: WorkerOutcomes): object | null {
  const phase = textOf(at(pod, 'status', 'phase'));
  if (phase === '' || phase === 'Pending') return { phase: 'Running' };
  if (phase !== 'Running') return null;
  const annotation = (key: string) => textOf(at(pod, 'metadata', 'annotations', key));
  const isFirstRound = annotation(workerAnnotations.round) === '1';
  const attempt = Number(annotation(workerAnnotations.attempt));
  const outcome = isFirstRound ? outcomes[annotation(workerAnnotations.targetNode)]?.[attempt - 1] : 'pass';
  if (outcome === 'evicted')
    return { phase: 'Failed', reason: 'Evicted', conditions: [{ type: 'DisruptionTarget', status: 'True' }] };
  return endedAs(pod, outcome ?? 'pass');
}

function endedAs(pod: RawObject, verdict: 'pass' | 'fail'): object {
  const [container] = recordsIn(at(pod, 'spec', 'containers'));
  const given = (name: string) =>
    textOf(recordsIn(container?.['env']).find((each) => each['name'] === name)?.['value']);
  const check = { id: 'dns', severity: 'required', message: '', ms: 4, tries: 1 } as const;
  const message = formatReport({
    nodeName: textOf(at(pod, 'metadata', 'annotations', workerAnnotations.targetNode)),
    nodeUID: given('NODE_UID'),
    nonce: given('VERIFICATION_NONCE'),
    verdict,
    isComplete: true,
    isForAnnotation: false,
    checks: [{ ...check, verdict, code: verdict === 'pass' ? '' : 'Timeout' }],
    problems: [],
  });
  const exitCode = verdict === 'pass' ? 0 : 1;
  const terminated = { exitCode, reason: exitCode === 0 ? 'Completed' : 'Error', message };
  return {
    phase: exitCode === 0 ? 'Succeeded' : 'Failed',
    containerStatuses: [
      { name: 'worker', image: 'muster', imageID: '', ready: false, restartCount: 0, state: { terminated } },
    ],
  };
}
