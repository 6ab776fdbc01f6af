// I4: after a conflict nobody writes the same object again on the evidence that just proved old: it is read live first. Nodes and
// their records; what a reporter computes is computed anew from the cache.

import type { CallRecord } from '../../../src/sim/faults/records.ts';
import { callWords, isWriteCall, type Oracle, resources } from './oracle.ts';

export const freshEvidence: Oracle = {
  name: 'I4 fresh evidence',
  judge({ calls }) {
    const refused = new Map<string, CallRecord>();
    return calls.flatMap((call) => {
      const { instance, ref, resource } = call;
      if (resource !== resources.nodes && !resource.startsWith(resources.lifecycles)) return [];
      const key = `${instance} ${ref.type.kind} ${ref.name}`;
      if (call.verb === 'get') refused.delete(key);
      if (!isWriteCall(call)) return [];
      const before = refused.get(key);
      if (call.result === 'Conflict' && call.isHeard) refused.set(key, call);
      return before === undefined ? [] : [`${callWords(call)} is sent after a conflict and no live read`];
    });
  },
};
