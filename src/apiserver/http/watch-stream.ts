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
import { PacedWriter } from './pace.ts';
import { partialOf, type TableOptions, tableOf } from './table.ts';

/** Beside the first events, how many may wait for a slow reader. */
const BACKLOG_MAX = 20_000;
/** After how many written events the list of waiting ones is shortened: doing it for each would move all the others. */
const WRITTEN_MAX = 1_000;

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
  /** How many of those that wait have been written. */
  #written = 0;
  #sink: LineSink | null = null;
  #backlogMax = BACKLOG_MAX;
  #isWriting = false;
  #isEnded = false;
  #hasColumns = false;
  #onEnd: () => void = () => {};

  constructor(parts: WatchParts, form: WatchForm) {
    this.#parts = parts;
    this.#form = form;
  }

  note(event: StoreEvent): void {
    if (this.#isEnded) return;
    this.#waiting.push(event);
    if (this.#sink === null) this.#backlogMax = this.#waiting.length + BACKLOG_MAX;
    else if (this.#waiting.length - this.#written > this.#backlogMax) this.end();
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
    this.#forget(this.#waiting.length);
    this.#onEnd();
    this.#sink?.end();
  }

  #start(): void {
    if (this.#isWriting || this.#sink === null || this.#waiting.length === 0) return;
    this.#isWriting = true;
    void this.#write(new PacedWriter(this.#sink, this.#parts.clock));
  }

  async #write(writer: PacedWriter): Promise<void> {
    // What the requests of one turn change is written together, when they have been answered.
    await this.#parts.clock.nextTurn();
    for (
      let event = this.#waiting[this.#written];
      event !== undefined;
      event = this.#waiting[this.#written]
    ) {
      const isTime = writer.add(this.#line(event));
      this.#written++;
      const isLast = this.#written === this.#waiting.length || event.kind === 'EXPIRED';
      if (isTime || isLast) await writer.flush();
      if (event.kind === 'EXPIRED') return this.end();
      if (this.#written >= WRITTEN_MAX) this.#forget(this.#written);
    }
    this.#forget(this.#written);
    this.#isWriting = false;
  }

  #forget(count: number): void {
    this.#waiting.splice(0, count);
    this.#written = 0;
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
    return this.#table(tableOf([object], metadata, { definition, include, now: this.#parts.clock.now() }));
  }

  /** The columns are defined once. */
  #table(table: RawObject): string {
    const hasColumns = this.#hasColumns;
    this.#hasColumns = true;
    return JSON.stringify(hasColumns ? { ...table, columnDefinitions: null } : table);
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
