// What a process spends between two moments: time, processor, the longest time in which its event loop did nothing else, and
// how much of that was the collector's.

import { monitorEventLoopDelay, PerformanceObserver } from 'node:perf_hooks';
import { mark, spentSince } from '../spent.ts';
import type { ServerFigures } from './messages.ts';

const probeMs = 1;

export class Probe {
  readonly #loop = monitorEventLoopDelay({ resolution: probeMs });
  #collectionsMs: number[] = [];
  #begun = mark();
  #turnBegunMs = threadCpuMs();
  #longestTurnMs = 0;

  constructor() {
    const observer = new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) this.#collectionsMs.push(duration);
    });
    observer.observe({ entryTypes: ['gc'] });
    this.#loop.enable();
    setInterval(() => this.#turn(), probeMs);
  }

  begin(): void {
    this.#loop.reset();
    this.#collectionsMs = [];
    this.#turn();
    this.#longestTurnMs = 0;
    this.#begun = mark();
  }

  end(): ServerFigures {
    return {
      ...spentSince(this.#begun),
      // The probe counts from one tick to the next, so an idle loop already has one interval.
      longestBlockMs: Math.max(0, this.#loop.max / 1e6 - probeMs),
      longestTurnMs: this.#longestTurnMs,
      longestCollectionMs: Math.max(0, ...this.#collectionsMs),
      collectionMs: this.#collectionsMs.reduce((sum, each) => sum + each, 0),
      rssBytes: process.memoryUsage.rss(),
    };
  }

  /** What the main thread itself did since the last turn: the same however long others had its core. */
  #turn(): void {
    const now = threadCpuMs();
    this.#longestTurnMs = Math.max(this.#longestTurnMs, now - this.#turnBegunMs);
    this.#turnBegunMs = now;
  }
}

function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
