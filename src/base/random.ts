// Randomness as a port: the seeded form makes a run repeatable.

export interface Random {
  /** In [0, 1). */
  next(): number;
}

export const systemRandom: Random = { next: () => Math.random() };

/** Mulberry32: small, fast, good enough for jitter and schedules; never for secrets. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return {
    next() {
      state = (state + 0x6d2b79f5) >>> 0;
      let mixed = Math.imul(state ^ (state >>> 15), state | 1);
      mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
      return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
    },
  };
}

/** The value moved by at most the given share, up or down: `jittered(600, 0.1)` is 540 to 660. */
export function jittered(random: Random, value: number, share: number): number {
  return value * (1 + share * (2 * random.next() - 1));
}
