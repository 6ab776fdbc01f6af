// What is known to be gone, so that a late event or an old list cannot bring it back. Bounded: the oldest are forgotten,
// and then a late word is believed until the watch says otherwise.

import { compareResourceVersions } from '../objects/resource-version.ts';

/** One life of an object, from creation to deletion, at one moment. */
export type Incarnation = { readonly uid: string; readonly resourceVersion: string };

const entriesMax = 1024;

export class Tombstones {
  /** By uid: the resourceVersion at which it went; null when a live read found nothing, for a uid never returns. */
  readonly #goneAt = new Map<string, string | null>();

  bury(uid: string, resourceVersion: string | null): void {
    if (uid === '' || this.#goneAt.get(uid) === null) return;
    this.#goneAt.delete(uid);
    this.#goneAt.set(uid, resourceVersion);
    if (this.#goneAt.size <= entriesMax) return;
    const [oldest] = this.#goneAt.keys();
    if (oldest !== undefined) this.#goneAt.delete(oldest);
  }

  /** True for a state from before the end. An object that left a selection and came back is newer than its tombstone. */
  covers({ uid, resourceVersion }: Incarnation): boolean {
    const goneAt = this.#goneAt.get(uid);
    if (goneAt === undefined) return false;
    if (goneAt === null) return true;
    const order = compareResourceVersions(resourceVersion, goneAt);
    return order === 'older' || order === 'equal';
  }
}
