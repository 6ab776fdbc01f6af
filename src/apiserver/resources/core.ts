// What every operation works with: the objects, the kinds, and the two things that come from outside, time and chance.

import type { Clock } from '../../base/clock.ts';
import type { Random } from '../../base/random.ts';
import type { Surroundings } from '../registry/definition.ts';
import type { Registry } from '../registry/registry.ts';
import type { ObjectStore } from '../store/object-store.ts';
import type { Watches } from '../store/watches.ts';

export type Core = {
  readonly store: ObjectStore;
  readonly watches: Watches;
  readonly registry: Registry;
  readonly clock: Clock;
  readonly random: Random;
};

export function surroundingsOf({ store, clock }: Core): Surroundings {
  return {
    now: clock.now(),
    objects: (bucket) => store.entries(bucket).map(({ object }) => object),
  };
}

/** A version 4 UUID: as unlike any other as the source of chance allows, and the same again for the same seed. */
export function newUid(random: Random): string {
  const digits = Array.from({ length: 8 }, () =>
    Math.floor(random.next() * 65_536)
      .toString(16)
      .padStart(4, '0'),
  );
  const [a = '', b = '', c = '', d = '', e = '', f = '', g = '', h = ''] = digits;
  const variant = ((Number.parseInt(e.charAt(0), 16) & 3) | 8).toString(16);
  return `${a}${b}-${c}-4${d.slice(1)}-${variant}${e.slice(1)}-${f}${g}${h}`;
}

/** No vowels and nothing that looks alike, so that no word comes of it. */
const SUFFIX_LETTERS = 'bcdfghjklmnpqrstvwxz2456789';
const SUFFIX_LENGTH = 5;
const GENERATED_LENGTH_MAX = 63;

export function generatedName(prefix: string, random: Random): string {
  const letters = Array.from({ length: SUFFIX_LENGTH }, () =>
    SUFFIX_LETTERS.charAt(Math.floor(random.next() * SUFFIX_LETTERS.length)),
  );
  return prefix.slice(0, GENERATED_LENGTH_MAX - SUFFIX_LENGTH) + letters.join('');
}
