// Reads the rules of both kinds, and who else serves them.

import { peerLeaseNames } from '../../api/keys.ts';
import { ok, type Result } from '../../base/result.ts';
import { type Front, fronts, projectRule, ruleTypes } from '../../fleet/readiness-rule.ts';
import { fieldsOf, textOf } from '../../objects/raw.ts';
import { leaseType } from '../../objects/ref.ts';
import { type RuleFacts, ruleFacts } from '../../present/rule-facts.ts';
import type { KubeApi } from '../../runtime/ports.ts';
import { failureWords, isAbsent, listAll, required } from './reading.ts';
import { type Complaint } from './view-command.ts';

export type ReadRules = {
  /** Of both kinds, by kind and then by name. */
  readonly rules: readonly RuleFacts[];
  /** Kinds of which the cluster has no definition. */
  readonly absent: readonly Front[];
  /** What could not be seen, and why. */
  readonly blindSpots: readonly string[];
};

export async function readRules(api: KubeApi): Promise<Result<ReadRules, readonly Complaint[]>> {
  const read = await Promise.all(fronts.map(async (front) => ({ front, ...(await readKind(api, front)) })));
  const isInstalled = read.some(({ objects }) => objects.kind === 'ok' || !isAbsent(objects.error));
  const rules: RuleFacts[] = [];
  const absent: Front[] = [];
  for (const { front, objects, peer } of read) {
    // A cluster need not have both kinds; without either there is nothing to ask about.
    if (objects.kind === 'error' && isAbsent(objects.error) && isInstalled) {
      absent.push(front);
      continue;
    }
    const items = required(objects, { type: ruleTypes[front] });
    if (items.kind === 'error') return items;
    rules.push(...items.value.map((raw) => ruleFacts(projectRule(front, raw), peer.holder)));
  }
  return ok({ rules, absent, blindSpots: read.flatMap(({ peer }) => peer.blindSpot ?? []) });
}

async function readKind(api: KubeApi, front: Front) {
  const [objects, peer] = await Promise.all([listAll(api, { type: ruleTypes[front] }), readPeer(api, front)]);
  return { objects, peer };
}

type Peer = { readonly holder: string; readonly blindSpot: string | null };

/** Whoever holds that Lease serves the kind; a user who may not list Leases is told so where it matters. */
async function readPeer(api: KubeApi, front: Front): Promise<Peer> {
  const name = peerLeaseNames[front];
  const leases = await listAll(api, { type: leaseType, fieldSelector: `metadata.name=${name}` });
  if (leases.kind === 'error') {
    const why = failureWords(leases.error);
    return { holder: '', blindSpot: `Whether another controller serves ${front}s (Lease ${name}): ${why}` };
  }
  const holders = leases.value.map(({ spec }) => textOf(fieldsOf(spec)['holderIdentity']));
  return { holder: holders.find((holder) => holder !== '') ?? '', blindSpot: null };
}
