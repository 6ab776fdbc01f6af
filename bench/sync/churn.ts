// Sends changes of objects at an even rate. The resourceVersion of a change is the microsecond at which it was written, on
// the clock that all processes of the machine share: whoever receives it can tell how long it took.

import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import type { Corpus } from './corpus.ts';

export type Churn = {
  readonly corpus: Corpus;
  readonly write: (bytes: Buffer) => void;
  readonly seconds: number;
  readonly perSecond: number;
};

/** Coprime to any fleet that is not a multiple of it: every object changes before one changes again. */
const stride = 7_919;
const tickMs = 1;

/** Resolves with the number of changes sent. */
export async function churn({ corpus, write, seconds, perSecond }: Churn): Promise<number> {
  const total = seconds * perSecond;
  const startedMs = performance.now();
  let versionBefore = 0;
  let sent = 0;
  while (sent < total) {
    const due = Math.min(total, Math.floor(((performance.now() - startedMs) / 1_000) * perSecond));
    for (; sent < due; sent += 1) {
      versionBefore = Math.max(microsecondNow(), versionBefore + 1);
      write(corpus.modified((sent * stride) % corpus.size, String(versionBefore)));
    }
    await pause(tickMs);
  }
  return sent;
}

export function latencyMsOf(resourceVersion: string): number {
  return (microsecondNow() - Number(resourceVersion)) / 1_000;
}

/** Microseconds since the machine started: exact in a double, and the same in every process. */
function microsecondNow(): number {
  return Number(process.hrtime.bigint() / 1_000n);
}
