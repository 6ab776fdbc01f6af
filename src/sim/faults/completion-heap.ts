// The waiting completions, soonest first; among equals by their order. A binary heap: a run makes thousands of them.

import type { Completion } from './schedule.ts';

export class CompletionHeap {
  readonly #items: Completion[] = [];

  push(item: Completion): void {
    const items = this.#items;
    let at = items.push(item) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = items[parent];
      if (above === undefined || !isSooner(item, above)) break;
      items[at] = above;
      at = parent;
    }
    items[at] = item;
  }

  /** The next that was not cancelled. */
  first(): Completion | undefined {
    while (this.#items[0]?.isCancelled) this.#take();
    return this.#items[0];
  }

  pop(): Completion | undefined {
    return this.first() === undefined ? undefined : this.#take();
  }

  #take(): Completion | undefined {
    const items = this.#items;
    const top = items[0];
    const last = items.pop();
    if (last === undefined || items.length === 0) return top;
    let at = 0;
    for (;;) {
      const child = this.#soonerChild(at);
      const below = items[child];
      if (below === undefined || !isSooner(below, last)) break;
      items[at] = below;
      at = child;
    }
    items[at] = last;
    return top;
  }

  #soonerChild(at: number): number {
    const left = 2 * at + 1;
    const [a, b] = [this.#items[left], this.#items[left + 1]];
    return a !== undefined && b !== undefined && isSooner(b, a) ? left + 1 : left;
  }
}

function isSooner(a: Completion, b: Completion): boolean {
  return a.dueMs < b.dueMs || (a.dueMs === b.dueMs && a.order < b.order);
}
