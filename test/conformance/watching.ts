// A watch under test: every event as it came, and waiting for the one a case asks for, never for a length of time.

import type { RawObject } from '../../src/objects/raw.ts';
import type { LineStream } from './target.ts';

export type WatchEvent = { readonly type: string; readonly object: RawObject };

export type Watching = {
  readonly status: number;
  readonly events: readonly WatchEvent[];
  /** The first event for which this holds, also one that is there already; throws when the stream ends without it. */
  readonly until: (isWanted: (event: WatchEvent) => boolean) => Promise<WatchEvent>;
  /** Everything up to the first event of this type and, if given, this name. */
  readonly through: (type: string, name?: string) => Promise<readonly WatchEvent[]>;
  readonly ended: Promise<void>;
  readonly close: () => void;
};

const patienceMs = 20_000;

export function startWatch(stream: LineStream): Watching {
  const events: WatchEvent[] = [];
  const looks = new Set<() => void>();
  let isOver = false;
  const note = () => {
    for (const look of looks) look();
  };
  const read = async () => {
    for await (const line of stream.lines) {
      events.push(JSON.parse(line) as WatchEvent);
      note();
    }
  };
  const ended = read()
    .catch(() => undefined)
    .finally(() => {
      isOver = true;
      note();
    });

  const until: Watching['until'] = (isWanted) => {
    const { promise, resolve, reject } = Promise.withResolvers<WatchEvent>();
    const fail = (why: string) =>
      reject(new Error(`${why}; seen: ${events.map(lineOf).join(', ') || 'nothing'}`));
    const timer = setTimeout(() => fail(`no such event in ${patienceMs} ms`), patienceMs);
    const look = () => {
      const found = events.find(isWanted);
      if (found !== undefined) resolve(found);
      else if (isOver) fail('the watch ended without such an event');
    };
    looks.add(look);
    look();
    return promise.finally(() => {
      clearTimeout(timer);
      looks.delete(look);
    });
  };
  return {
    status: stream.status,
    events,
    until,
    through: async (type, name) => {
      const last = await until((event) => event.type === type && (name ?? nameOf(event)) === nameOf(event));
      return events.slice(0, events.indexOf(last) + 1);
    },
    ended,
    close: stream.close,
  };
}

export function lineOf(event: WatchEvent): string {
  return `${event.type} ${nameOf(event)}`.trim();
}

function nameOf({ object }: WatchEvent): string {
  return object.metadata?.name ?? '';
}
