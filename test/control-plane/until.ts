// Waiting without sleeping for a guessed time: asks again and again until there is an answer or the deadline passes.

import { setTimeout as pause } from 'node:timers/promises';

const intervalMs = 25;

/** Returns the first answer that is not undefined. A probe that throws ends the wait: it knows that no answer can come. */
export async function until<T>(
  what: string,
  timeoutMs: number,
  probe: () => Promise<T | undefined> | T | undefined,
): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const answer = await probe();
    if (answer !== undefined) return answer;
    if (Date.now() >= deadline) throw new Error(`${what}: not so after ${timeoutMs} ms`);
    await pause(intervalMs);
  }
}
