// An operator on a real API server that is killed at an exact write of one verification, and starts again. Which write is which is
// learned from a verification that nothing happens to.

import { readFile } from 'node:fs/promises';
import { nodeLifecycleType } from '../../src/api/keys.ts';
import { workerName } from '../../src/capabilities/verification/worker-view.ts';
import { fieldsOf, textOf } from '../../src/objects/raw.ts';
import { nodeType, podType, resourceName } from '../../src/objects/ref.ts';
import type { FaultMatch, FaultRule } from '../../src/sim/faults/rule.ts';
import { type FaultProxy, startFaultProxy } from '../faults/proxy/fault-proxy.ts';
import { throughProxy } from '../faults/proxy/through-proxy.ts';
import { operatorVictim } from '../faults/proxy/victim.ts';
import { operatorAccount, type World } from './cluster-world.ts';

const pods = podType.plural;
const record = `${resourceName(nodeLifecycleType)}/status`;

type Verified = { readonly node: string; readonly worker: string };

/** Where it is killed, given how many times the record was written before the worker was created. */
type KillPoint = (verified: Verified, recordsBefore: number) => FaultMatch;

export const killPoints: Readonly<Record<string, KillPoint>> = {
  'before its worker is created': ({ worker }) => ({
    verb: 'create',
    phase: 'beforeForward',
    resource: pods,
    name: worker,
  }),
  'after its worker was created': ({ worker }) => ({
    verb: 'create',
    phase: 'afterForward',
    resource: pods,
    name: worker,
  }),
  'while its worker runs': ({ node }, recordsBefore) => ({
    verb: 'patch',
    phase: 'afterForward',
    resource: record,
    name: node,
    nth: recordsBefore + 1,
  }),
  'after its worker has finished, before that is written': ({ node }, recordsBefore) => ({
    verb: 'patch',
    phase: 'beforeForward',
    resource: record,
    name: node,
    nth: recordsBefore + 2,
  }),
  'after that is written, before the node is let in': ({ node }) => ({
    verb: 'patch',
    phase: 'beforeForward',
    resource: nodeType.plural,
    name: node,
  }),
  'after that is written, before its worker is deleted': ({ worker }) => ({
    verb: 'delete',
    phase: 'beforeForward',
    resource: pods,
    name: worker,
  }),
};

/** The first worker of a node as it is now. */
export async function firstWorkerOf({ plane }: World, node: string): Promise<string> {
  const { body } = await plane.request('GET', `/api/v1/nodes/${node}`);
  const nodeUID = textOf(fieldsOf(fieldsOf(body)['metadata'])['uid']);
  return workerName({ nodeName: node, nodeUID, round: 1, attempt: 1 });
}

export type Mortal = Pick<FaultProxy, 'calls' | 'strikes'> & { end(): Promise<void> };

export async function startMortal(
  { plane }: World,
  flags: readonly string[],
  matches: readonly FaultMatch[],
): Promise<Mortal> {
  const rules = matches.map(
    (match): FaultRule => ({ match, action: { kind: 'crash', restartAfterMs: 100 } }),
  );
  const victim = operatorVictim(plane, flags);
  const upstreamCa = await readFile(plane.caFile, 'utf8');
  const proxy = await startFaultProxy({ upstream: plane.url, upstreamCa, rules, victim });
  const { path } = await plane.kubeconfigFor(operatorAccount);
  await throughProxy(path, plane.url, proxy);
  victim.begin(path);
  return {
    calls: proxy.calls,
    strikes: proxy.strikes,
    async end() {
      await victim.end();
      await proxy.close();
    },
  };
}

/** How many times the record of a node was written before its worker was created. */
export function recordsBefore(calls: FaultProxy['calls'], { node, worker }: Verified): number {
  const created = calls.findIndex(
    ({ verb, resource, name }) => verb === 'create' && resource === pods && name === worker,
  );
  if (created < 0) throw new Error(`${worker} was never created`);
  return calls
    .slice(0, created)
    .filter(({ verb, resource, name }) => verb === 'patch' && resource === record && name === node).length;
}
