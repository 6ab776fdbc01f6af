// Writes of nodes that failed for now, by node: told as a verdict until one succeeds, so that people see a node that cannot be
// reached. In memory only: a restart tries again and learns the same.

import type { Reason } from '../api/reasons.ts';
import { type Verdict, writerName } from '../fleet/node-state.ts';

export interface Setbacks {
  /** Whether it is the second in a row: what fails once may be over by then, and what goes on is worth a word to people. */
  note(node: string, message: string): boolean;
  /** Whether there was something to clear. */
  clear(node: string): boolean;
  verdictsOf(node: string): readonly Verdict[];
}

export function createSetbacks(): Setbacks {
  const setbacks = new Map<string, { readonly message: string; readonly times: number }>();
  return {
    note(node, message) {
      const times = (setbacks.get(node)?.times ?? 0) + 1;
      setbacks.set(node, { message, times });
      return times === 2;
    },
    clear: (node) => setbacks.delete(node),
    verdictsOf(node) {
      const message = setbacks.get(node)?.message;
      if (message === undefined) return [];
      const reason: Reason = 'WriteFailed';
      return [{ capability: writerName, parent: writerName, outcome: 'unknown', reason, message }];
    },
  };
}
