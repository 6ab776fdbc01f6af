// I3: who does not lead does not write. When a write is sent, the Lease names its sender. Somebody who deletes the Lease under its
// holder takes that away from both: the holder leads until its own deadline, and another may have made a Lease of its own by then.

import { usualTimings } from '../../../src/kube/lease-state.ts';
import type { CallRecord } from '../../../src/sim/faults/records.ts';
import type { Run } from '../run.ts';
import { at, callWords, isOwn, isWriteCall, type Oracle, resources } from './oracle.ts';

export const leaderOnly: Oracle = {
  name: 'I3 leader only',
  judge(run) {
    const { scenario, plan, calls } = run;
    if (scenario.leadership !== 'lease' || plan.leaders !== undefined) return [];
    const isDeprived = deprivedIn(run);
    return calls
      .filter(
        (call) =>
          isWriteCall(call) && call.resource !== resources.leases && call.resource !== resources.events,
      )
      .filter(({ leaseHolder, instance }) => leaseHolder !== '' && leaseHolder !== instance)
      .filter((call) => !isDeprived(call))
      .map((call) => `${callWords(call)} is sent while ${call.leaseHolder} holds the Lease`);
  },
};

/** Whether somebody deleted the Lease of this sender so recently that it cannot know yet. */
function deprivedIn({ writes }: Run): (call: CallRecord) => boolean {
  const deletions = writes.filter(
    (write) => write.resource === resources.leases && write.after === null && !isOwn(write),
  );
  return ({ instance, sentAtMs }) =>
    deletions.some(
      ({ before, atMs }) =>
        at(before, 'spec', 'holderIdentity') === instance &&
        sentAtMs >= atMs &&
        sentAtMs < atMs + usualTimings.renewDeadlineMs,
    );
}
