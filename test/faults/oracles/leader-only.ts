// I3: who does not lead does not write. When a write is sent, the Lease names its sender. Somebody who deletes the Lease under its
// holder, or gives it to another, takes that away: the holder leads until its own deadline, and another may lead by then.

import type { CallRecord } from '../../../src/sim/faults/records.ts';
import type { Run } from '../run.ts';
import { at, callWords, isOwn, isWriteCall, type Oracle, resources } from './oracle.ts';

/** A third less than the Lease lasts: who could not renew it for so long stops writing. */
const RENEW_DEADLINE_MS = 10_000;

export const leaderOnly: Oracle = {
  name: 'I3 leader only',
  judge(run) {
    const { scenario, plan, calls } = run;
    if (scenario.leadership !== 'lease' || plan.leaders !== undefined) return [];
    // A lease is measured by two clocks. Where one is twice as fast and its holder is held up too, nobody can rule out two leaders.
    if (plan.rules.length > 1 && plan.rules.some(({ action }) => action.kind === 'rate')) return [];
    const isDeprived = deprivedIn(run);
    return calls
      .filter(
        (call) =>
          isWriteCall(call) && call.resource !== resources.leases && call.resource !== resources.events,
      )
      .filter(({ leaseHolder, instance }) => leaseHolder !== instance)
      .filter((call) => !isDeprived(call))
      .map((call) => `${callWords(call)} is sent while ${call.leaseHolder || 'nobody'} holds the Lease`);
  },
};

/** Whether somebody took the Lease of this sender so recently that it cannot know yet. */
function deprivedIn({ writes }: Run): (call: CallRecord) => boolean {
  const holderOf = (lease: unknown) => at(lease, 'spec', 'holderIdentity');
  const takings = writes.filter(
    (write) =>
      write.resource === resources.leases &&
      holderOf(write.after) !== holderOf(write.before) &&
      !isOwn(write),
  );
  return ({ instance, sentAtMs }) =>
    takings.some(
      ({ before, atMs }) =>
        holderOf(before) === instance && sentAtMs >= atMs && sentAtMs < atMs + RENEW_DEADLINE_MS,
    );
}
