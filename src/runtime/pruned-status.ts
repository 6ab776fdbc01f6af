// Statuses of which the server keeps less than was written, because another definition of the kind is installed than ours. To
// write the rest again would be to write for ever, so such a status is left alone until it changes.

import { canonical, type Hash, hashOf } from '../base/hash.ts';
import type { Log } from '../base/log.ts';
import { mergePatch } from '../objects/patch.ts';
import { keyOf } from '../objects/ref.ts';
import type { StatusTarget } from './capability.ts';

export interface Pruned {
  /** After a write: what was sent, and what the server kept of it. */
  note(kept: StatusTarget | null, sent: unknown): void;
  /** The server dropped part of this very status before, and what it shows is what it kept then. */
  isAllThatIsKept(target: StatusTarget, wanted: unknown): boolean;
  forget(uid: string): void;
}

export function createPruned(reporter: string, log: Log): Pruned {
  const cutShort = new Map<string, { readonly sent: Hash; readonly kept: Hash }>();
  return {
    note(kept, sent) {
      if (kept === null) return;
      if (canonical(kept.status) === canonical(sent)) return void cutShort.delete(kept.uid);
      const fields = Object.keys(mergePatch(kept.status, sent) ?? {});
      if (!cutShort.has(kept.uid))
        log.warn('the server keeps less of a status than was written; is another definition installed?', {
          reporter,
          object: keyOf(kept.ref),
          fields,
        });
      cutShort.set(kept.uid, { sent: hashOf(sent), kept: hashOf(kept.status) });
    },
    isAllThatIsKept({ uid, status }, wanted) {
      const cut = cutShort.get(uid);
      return cut !== undefined && cut.sent === hashOf(wanted) && cut.kept === hashOf(status);
    },
    forget: (uid) => void cutShort.delete(uid),
  };
}
