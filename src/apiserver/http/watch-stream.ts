// A watch as lines of JSON. Events are noted while a write goes on and written afterwards, a few at a time: neither ten
// thousand first events nor a slow reader may hold up the others. Who falls too far behind is cut off, as by a real server.

import { initialEventsEndAnnotation } from '../../api/keys.ts';
import type { Clock } from '../../base/clock.ts';
import type { RawObject } from '../../objects/raw.ts';
import { apiVersionOf } from '../../objects/ref.ts';
import { expired, statusOf } from '../refusal.ts';
import type { ResourceDefinition } from '../registry/definition.ts';
import type { StoreEvent } from '../store/watches.ts';
import type { LineSink } from './exchange.ts';
import type { ObjectTexts } from './object-text.ts';
import { partialOf, type TableOptions, tableOf } from './table.ts';

/** How long lines are written before others get a turn. */
const SLICE_MS = 8;
/** Beside the first events, how many may wait for a slow reader. */
const BACKLOG_MAX = 20_000;

export type WatchForm = {
  readonly definition: ResourceDefinition;
  readonly form: 'object' | 'table' | 'partial';
  readonly include: TableOptions['include'];
};

export type WatchParts = { readonly clock: Clock; readonly texts: ObjectTexts };

export class WatchStream {
  readonly #parts: WatchParts;
  readonly #form: WatchForm;
  readonly #waiting: StoreEvent[] = [];
  #sink: LineSink | null = null;
  #backlogMax = BACKLOG_MAX;
  #isWriting = false;
  #isEnded = false;
  #onEnd: () => void = () => {};

  constructor(parts: WatchParts, form: WatchForm) {
    this.#parts = parts;
    this.#form = form;
  }

  note(event: StoreEvent): void {
    if (this.#isEnded) return;
    this.#waiting.push(event);
    if (this.#sink === null) this.#backlogMax = this.#waiting.length + BACKLOG_MAX;
    else if (this.#waiting.length > this.#backlogMax) this.end();
    else this.#start();
  }

  /** Begins to write; `onEnd` is called once. */
  flowInto(sink: LineSink, onEnd: () => void): void {
    this.#sink = sink;
    this.#onEnd = onEnd;
    this.#start();
  }

  end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#waiting.length = 0;
    this.#onEnd();
    this.#sink?.end();
  }

  #start(): void {
    if (this.#isWriting || this.#waiting.length === 0) return;
    this.#isWriting = true;
    void this.#write();
  }

  async #write(): Promise<void> {
    const { clock } = this.#parts;
    // A write that goes on may cause several events: they are written together, after it.
    await Promise.resolve();
    let sliceEndsMs = clock.monotonicMs() + SLICE_MS;
    let next = 0;
    while (next < this.#waiting.length && !this.#isEnded) {
      const event = this.#waiting[next++];
      const isTaken = event === undefined || this.#sink?.write(this.#line(event)) !== false;
      if (event?.kind === 'EXPIRED') return this.end();
      if (!isTaken) await this.#sink?.drained();
      else if (clock.monotonicMs() < sliceEndsMs) continue;
      else await clock.nextTurn();
      sliceEndsMs = clock.monotonicMs() + SLICE_MS;
      this.#waiting.splice(0, next);
      next = 0;
    }
    this.#waiting.splice(0, next);
    this.#isWriting = false;
    if (!this.#isEnded) this.#start();
  }

  #line(event: StoreEvent): string {
    if (event.kind === 'BOOKMARK') return line('BOOKMARK', JSON.stringify(this.#bookmark(event)));
    if (event.kind !== 'EXPIRED') return line(event.kind, this.#objectText(event.object));
    const refusal = expired(`too old resource version: ${event.revision} (${event.oldest})`);
    return line('ERROR', JSON.stringify(statusOf(refusal)));
  }

  #objectText(object: RawObject): string {
    const { definition, form, include } = this.#form;
    if (form === 'object') return this.#parts.texts.of(definition.encode(object));
    if (form === 'partial') return JSON.stringify(partialOf(object));
    const metadata = { resourceVersion: object.metadata?.resourceVersion };
    return JSON.stringify(tableOf([object], metadata, { definition, include, now: this.#parts.clock.now() }));
  }

  #bookmark(event: Extract<StoreEvent, { readonly kind: 'BOOKMARK' }>): RawObject {
    const { definition, form } = this.#form;
    const annotations = event.endsInitialEvents
      ? { annotations: { [initialEventsEndAnnotation]: 'true' } }
      : {};
    const metadata = { resourceVersion: String(event.revision), ...annotations };
    if (form === 'partial') return partialOf({ metadata });
    if (form === 'table')
      return { ...tableOf([], metadata, { definition, include: 'None', now: 0 }), rows: null };
    return { kind: definition.type.kind, apiVersion: apiVersionOf(definition.type), metadata };
  }
}

function line(type: string, object: string): string {
  return `{"type":"${type}","object":${object}}\n`;
}
