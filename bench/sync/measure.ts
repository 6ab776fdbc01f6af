// What is measured inside a client process, the same way for every client: time, processor, memory, the longest time in
// which the event loop did nothing else, and how old an event is when it is known.

import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { mark, type Spent, spentSince } from '../spent.ts';
import { percentile } from '../statistics.ts';
import { latencyMsOf } from './churn.ts';
import { heapBytesKept } from '../heap.ts';
import type { ChurnFigures, ClientCommand, ClientReport, SyncFigures, Target } from './messages.ts';

/** What a client tells of its progress. */
export type Heard = {
  /** So many objects are known, which is all there are: after the start, and each time that all were fetched again. */
  readonly synced: (known: number | null) => void;
  /** One object is known in the state with this resourceVersion. */
  readonly changed: (resourceVersion: string) => void;
};

/** Begins to follow all Nodes of the server and never ends. */
export type Follow = (target: Target, heard: Heard) => void;

export function measure(follow: Follow): void {
  const run = new Measurement(follow);
  process.on('message', (command: ClientCommand) => void run.obey(command));
  process.on('disconnect', () => process.exit());
}

const probeMs = 1;
const missingAfterMs = 3_000;

class Measurement {
  readonly #follow: Follow;
  readonly #loop = monitorEventLoopDelay({ resolution: probeMs });
  readonly #latenciesMs: number[] = [];
  #heapBytesBefore = 0;
  #syncCount = 0;
  #begun = mark();

  constructor(follow: Follow) {
    this.#follow = follow;
  }

  async obey(command: ClientCommand): Promise<void> {
    switch (command.kind) {
      case 'sync':
        this.#heapBytesBefore = heapBytesKept();
        this.#begin();
        return this.#follow(command.target, {
          synced: (known) => this.#synced(known),
          changed: (resourceVersion) => void this.#latenciesMs.push(latencyMsOf(resourceVersion)),
        });
      case 'churnBegins':
        return this.#begin();
      case 'churnEnds':
        return report({ kind: 'churned', ...(await this.#churnFigures(command.sent)) });
      case 'finish':
        return report({ kind: 'finished', heapBytes: heapBytesKept() - this.#heapBytesBefore });
    }
  }

  #begin(): void {
    this.#loop.reset();
    this.#loop.enable();
    this.#begun = mark();
  }

  #synced(known: number | null): void {
    this.#syncCount += 1;
    if (this.#syncCount > 1) return report({ kind: 'relisted', known, peakRssBytes: peakRssBytes() });
    const spent = { known, ...spentSince(this.#begun) };
    // One turn later, so that the turn in which the sync ended has been seen by the probe as a whole.
    setTimeout(() => report({ kind: 'synced', ...this.#syncFigures(spent) }), 2 * probeMs);
  }

  #syncFigures(spent: Spent & { readonly known: number | null }): SyncFigures {
    return { ...spent, peakRssBytes: peakRssBytes(), longestBlockMs: this.#longestBlockMs() };
  }

  async #churnFigures(sent: number): Promise<ChurnFigures> {
    const { wallMs, cpuMs, waitedMs: waited } = spentSince(this.#begun);
    const giveUpAtMs = performance.now() + missingAfterMs;
    while (this.#latenciesMs.length < sent && performance.now() < giveUpAtMs) await pause(10);
    return {
      cpuShare: cpuMs / wallMs,
      waitedMs: waited,
      latencyMsP50: percentile(this.#latenciesMs, 0.5),
      latencyMsP99: percentile(this.#latenciesMs, 0.99),
      longestBlockMs: this.#longestBlockMs(),
      rssBytes: process.memoryUsage.rss(),
      missing: sent - this.#latenciesMs.length,
    };
  }

  /** The probe counts from one tick to the next, so an idle loop already has one interval. */
  #longestBlockMs(): number {
    return Math.max(0, this.#loop.max / 1e6 - probeMs);
  }
}

function peakRssBytes(): number {
  return process.resourceUsage().maxRSS * 1_024;
}

function report(message: ClientReport): void {
  process.send?.(message);
}
