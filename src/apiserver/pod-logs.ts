// Where the logs of pods come from. The server has no kubelets: whoever plays them supplies what their containers wrote.
// Without a supplier, a log is what it is when no kubelet can be reached.

import type { Cancel, Instant } from '../base/clock.ts';

export type LogLine = { readonly at: Instant; readonly text: string };

export type LoggedContainer = {
  readonly namespace: string;
  readonly pod: string;
  readonly uid: string;
  readonly container: string;
  readonly node: string;
};

export interface LogListener {
  line(line: LogLine): void;
  /** The container wrote its last. */
  ended(): void;
}

export interface PodLogSupplier {
  /** What the container has written so far; null for one that this supplier does not run. */
  linesOf(container: LoggedContainer): readonly LogLine[] | null;
  /** From now on; calls back later, never at once. */
  follow(container: LoggedContainer, listener: LogListener): Cancel;
}

/** The suppliers of one server. The first that knows a container answers for it. */
export class PodLogs {
  readonly #suppliers = new Set<PodLogSupplier>();

  supplyBy(supplier: PodLogSupplier): Cancel {
    this.#suppliers.add(supplier);
    return () => void this.#suppliers.delete(supplier);
  }

  find(container: LoggedContainer): FoundLog | null {
    for (const supplier of this.#suppliers) {
      const lines = supplier.linesOf(container);
      if (lines !== null) return { lines, follow: (listener) => supplier.follow(container, listener) };
    }
    return null;
  }
}

export type FoundLog = { readonly lines: readonly LogLine[]; follow(listener: LogListener): Cancel };
