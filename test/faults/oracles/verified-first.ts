// I5 for verification: a node is let in, by its taint that goes or its label that comes, only after its own record says that it is
// verified; and a record says so only after a worker of this very node has reported a pass.

import { verificationKeys, workerAnnotations } from '../../../src/api/keys.ts';
import { recordsIn, textOf } from '../../../src/objects/raw.ts';
import type { WriteRecord } from '../../../src/sim/faults/records.ts';
import { at, isOwn, type Oracle, resources, taintMap } from './oracle.ts';

export const verifiedFirst: Oracle = {
  name: 'I5 verified first',
  judge(run) {
    const records = new Map<string, unknown>();
    const passed = new Set<string>();
    return run.writes.flatMap((write) => {
      const problems = isOwn(write) ? [...judgeNode(write, records), ...judgeRecord(write, passed)] : [];
      if (write.resource === resources.lifecycles) records.set(write.key, write.after);
      if (write.resource === resources.pods) notePass(write, passed);
      return problems;
    });
  },
};

const taint = `${verificationKeys.taint}:NoSchedule`;

function judgeNode(write: WriteRecord, records: ReadonlyMap<string, unknown>): readonly string[] {
  if (write.resource !== resources.nodes || write.after === null) return [];
  const { key, by, revision, before, after } = write;
  const isLetIn = taintMap(before).has(taint) && !taintMap(after).has(taint);
  const label = (node: unknown) => at(node, 'metadata', 'labels', verificationKeys.verifiedLabel);
  const isLabelled = label(before) === undefined && label(after) !== undefined;
  const record = records.get(key);
  const isVerified =
    at(record, 'spec', 'nodeUID') === after.metadata?.uid &&
    at(record, 'status', 'verification', 'state') === 'verified';
  return (isLetIn || isLabelled) && !isVerified
    ? [`${by} @${revision} lets ${key} in before it is verified`]
    : [];
}

function judgeRecord(write: WriteRecord, passed: ReadonlySet<string>): readonly string[] {
  if (write.resource !== resources.lifecycles || write.after === null) return [];
  const stateOf = (object: unknown) => at(object, 'status', 'verification', 'state');
  const isNews = stateOf(write.after) === 'verified' && stateOf(write.before) !== 'verified';
  const uid = textOf(at(write.after, 'spec', 'nodeUID'));
  return isNews && !passed.has(uid)
    ? [`${write.by} @${write.revision} takes ${write.key} for verified though no worker has passed it`]
    : [];
}

function notePass({ after }: WriteRecord, passed: Set<string>): void {
  const ended = recordsIn(at(after, 'status', 'containerStatuses')).some(
    (each) => at(each, 'state', 'terminated', 'exitCode') === 0,
  );
  if (ended) passed.add(textOf(at(after, 'metadata', 'annotations', workerAnnotations.nodeUID)));
}
