// Fields of a status that the server does not keep, because another definition of the kind is installed than ours. To write
// them again would be to write for ever, so they are no reason to write; what the server does keep still is.

import type { Log } from '../base/log.ts';
import { mergePatch } from '../objects/patch.ts';
import { fieldsOf, isRecord } from '../objects/raw.ts';
import { keyOf } from '../objects/ref.ts';
import type { StatusTarget } from './capability.ts';

export interface Pruned {
  /** After a write: what was sent, and what the server kept of it. */
  note(kept: StatusTarget | null, sent: unknown): void;
  /** Whether the status differs from this one in anything that the server would keep. */
  differs(target: StatusTarget, wanted: unknown): boolean;
  forget(uid: string): void;
}

export function createPruned(reporter: string, log: Log): Pruned {
  /** By UID of the object: names of fields. */
  const dropped = new Map<string, readonly string[]>();
  return {
    note(kept, sent) {
      if (kept === null || !isRecord(sent)) return;
      const status = fieldsOf(kept.status);
      const fields = Object.keys(sent).filter((field) => sent[field] !== undefined && !(field in status));
      if (fields.length === 0) return void dropped.delete(kept.uid);
      if (!dropped.has(kept.uid))
        log.warn('the server drops fields of a status; is another definition of the kind installed?', {
          reporter,
          object: keyOf(kept.ref),
          fields,
        });
      dropped.set(kept.uid, fields);
    },
    differs({ uid, status }, wanted) {
      const fields = dropped.get(uid) ?? [];
      const kept = isRecord(wanted)
        ? Object.fromEntries(Object.entries(wanted).filter(([field]) => !fields.includes(field)))
        : wanted;
      return mergePatch(status, kept) !== undefined;
    },
    forget: (uid) => void dropped.delete(uid),
  };
}
