// I5 for verification: a node that a policy selects is let in, by its taint that goes or its label that comes, only after its own
// record says that it is verified since it last booted; and a record says so only after the worker that it names has reported a pass.

import { verificationKeys } from '../../../src/api/keys.ts';
import { recordsIn } from '../../../src/objects/raw.ts';
import type { WriteRecord } from '../../../src/sim/faults/records.ts';
import type { Run } from '../run.ts';
import { isSelecting } from './asking.ts';
import { decidedAtMs, newestHeard } from './knowledge.ts';
import { at, isOwn, type Oracle, resources, taintMap } from './oracle.ts';

export const verifiedFirst: Oracle = {
  name: 'I5 verified first',
  judge(run) {
    const seen: Seen = {
      run,
      policies: new Map(),
      remade: new Map(),
      records: new Map(),
      passed: new Set(),
    };
    return run.writes.flatMap((write) => {
      const problems = isOwn(write) ? [...judgeNode(write, seen), ...judgeRecord(write, seen)] : [];
      note(write, seen);
      return problems;
    });
  },
};

type Seen = {
  readonly run: Run;
  readonly policies: Map<string, unknown>;
  /** Since when there is another policy of a name that was deleted. */
  readonly remade: Map<string, number>;
  readonly records: Map<string, unknown>;
  /** Workers that reported a pass, by namespace and name. */
  readonly passed: Set<string>;
};

const taint = `${verificationKeys.taint}:NoSchedule`;

function note({ resource, key, after, revision }: WriteRecord, seen: Seen): void {
  const { policies, remade, records, passed } = seen;
  if (resource === resources.verifications && after !== null) {
    if (remade.get(key) === Infinity) remade.set(key, revision);
    policies.set(key, after);
  } else if (resource === resources.verifications) {
    remade.set(key, Infinity);
    policies.delete(key);
  }
  if (resource === resources.lifecycles) records.set(key, after);
  if (resource === resources.pods && hasEnded(after, 0)) passed.add(key.split('/')[1] ?? '');
}

export function hasEnded(pod: unknown, exitCode: number): boolean {
  const containers = recordsIn(at(pod, 'status', 'containerStatuses'));
  return containers.some((each) => at(each, 'state', 'terminated', 'exitCode') === exitCode);
}

/** It knows of the policy of this name that was deleted, and not yet that there is another. */
function isUnaware({ by, call }: WriteRecord, name: string, { run, remade }: Seen): boolean {
  const since = remade.get(name);
  if (since === undefined || call === null) return false;
  const sender = { instance: by, decidedAtMs: decidedAtMs(run, call) };
  const heard = newestHeard(run, sender, { resource: resources.verifications, name });
  return heard > 0 && heard < since;
}

function judgeNode(write: WriteRecord, seen: Seen): readonly string[] {
  const { policies, records } = seen;
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
  const isUnwanted =
    !isLabelled &&
    ![...policies].some(([name, policy]) => isSelecting(policy, before) && !isUnaware(write, name, seen));
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
