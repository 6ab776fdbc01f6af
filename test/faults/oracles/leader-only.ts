// I3: who does not lead does not write. When a write is sent, the Lease names its sender; nobody at all while somebody has deleted
// the Lease, because its holder leads until its own deadline.

import { callWords, isWriteCall, type Oracle, resources } from './oracle.ts';

export const leaderOnly: Oracle = {
  name: 'I3 leader only',
  judge({ scenario, plan, calls }) {
    if (scenario.leadership !== 'lease' || plan.leaders !== undefined) return [];
    return calls
      .filter(
        (call) =>
          isWriteCall(call) && call.resource !== resources.leases && call.resource !== resources.events,
      )
      .filter(({ leaseHolder, instance }) => leaseHolder !== '' && leaseHolder !== instance)
      .map((call) => `${callWords(call)} is sent while ${call.leaseHolder} holds the Lease`);
  },
};
