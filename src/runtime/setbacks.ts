// Writes of nodes that failed for now, by node: told as a verdict until one succeeds, so that people see a node that cannot be
// reached. In memory only: a restart tries again and learns the same.

import type { Reason } from '../api/reasons.ts';
import { type Verdict, writerName } from '../fleet/node-state.ts';

export interface Setbacks {
  note(node: string, message: string): void;
  /** Whether there was something to clear. */
  clear(node: string): boolean;
  verdictsOf(node: string): readonly Verdict[];
}

export function createSetbacks(): Setbacks {
  const messages = new Map<string, string>();
  return {
    note: (node, message) => void messages.set(node, message),
    clear: (node) => messages.delete(node),
    verdictsOf(node) {
      const message = messages.get(node);
      if (message === undefined) return [];
      const reason: Reason = 'WriteFailed';
      return [{ capability: writerName, parent: writerName, outcome: 'unknown', reason, message }];
    },
  };
}
