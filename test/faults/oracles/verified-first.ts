// I5 for verification: a node that a policy selects is let in, by its taint that goes or its label that comes, only after its own
// record says that it is verified since it last booted; and a record says so only after the worker that it names has reported a pass.

import { verificationKeys } from '../../../src/api/keys.ts';
import { recordsIn } from '../../../src/objects/raw.ts';
import type { WriteRecord } from '../../../src/sim/faults/records.ts';
import { isSelecting } from './asking.ts';
import { at, isOwn, type Oracle, resources, taintMap } from './oracle.ts';

export const verifiedFirst: Oracle = {
  name: 'I5 verified first',
  judge({ writes }) {
    const seen: Seen = { policies: new Map(), records: new Map(), passed: new Set() };
    return writes.flatMap((write) => {
      const problems = isOwn(write) ? [...judgeNode(write, seen), ...judgeRecord(write, seen)] : [];
      note(write, seen);
      return problems;
    });
  },
};

type Seen = {
  readonly policies: Map<string, unknown>;
  readonly records: Map<string, unknown>;
  /** Workers that reported a pass, by namespace and name. */
  readonly passed: Set<string>;
};

const taint = `${verificationKeys.taint}:NoSchedule`;

function note({ resource, key, after }: WriteRecord, { policies, records, passed }: Seen): void {
  if (resource === resources.verifications && after !== null) policies.set(key, after);
  else if (resource === resources.verifications) policies.delete(key);
  if (resource === resources.lifecycles) records.set(key, after);
  if (resource === resources.pods && hasEnded(after, 0)) passed.add(key.split('/')[1] ?? '');
}

export function hasEnded(pod: unknown, exitCode: number): boolean {
  const containers = recordsIn(at(pod, 'status', 'containerStatuses'));
  return containers.some((each) => at(each, 'state', 'terminated', 'exitCode') === exitCode);
}

function judgeNode(write: WriteRecord, { policies, records }: Seen): readonly string[] {
  if (write.resource !== resources.nodes || write.after === null) return [];
  const { key, by, revision, before, after } = write;
  const isLetIn = taintMap(before).has(taint) && !taintMap(after).has(taint);
  const label = (node: unknown) => at(node, 'metadata', 'labels', verificationKeys.verifiedLabel);
  const isLabelled = label(before) === undefined && label(after) !== undefined;
  if (!isLetIn && !isLabelled) return [];
  const record = records.get(key);
  const verification = at(record, 'status', 'verification');
  const isVerified =
    at(record, 'spec', 'nodeUID') === after.metadata?.uid && at(verification, 'state') === 'verified';
  const isUnwanted = !isLabelled && ![...policies.values()].some((policy) => isSelecting(policy, before));
  if (!isVerified && !isUnwanted) return [`${by} @${revision} lets ${key} in before it is verified`];
  // A write of a node names the version that it was decided on: whoever wrote it knew of the boot.
  const isOfThisBoot = at(verification, 'bootID') === at(before, 'status', 'nodeInfo', 'bootID');
  return isOfThisBoot || isUnwanted
    ? []
    : [`${by} @${revision} lets ${key} in by what was found before it booted`];
}

function judgeRecord(write: WriteRecord, { passed }: Seen): readonly string[] {
  if (write.resource !== resources.lifecycles || write.after === null) return [];
  const verificationOf = (object: unknown) => at(object, 'status', 'verification');
  const [had, has] = [verificationOf(write.before), verificationOf(write.after)];
  const isNews = at(has, 'state') === 'verified' && at(had, 'state') !== 'verified';
  return isNews && !passed.has(String(at(had, 'workerPod')))
    ? [`${write.by} @${write.revision} takes ${write.key} for verified though its worker has not passed it`]
    : [];
}
