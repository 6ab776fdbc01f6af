// A request for a watch: where it begins, how long it may last, and the stream that carries it.

import { statusOf } from '../refusal.ts';
import type { StoreStart } from '../store/watches.ts';
import { answerRefusal } from './answer.ts';
import type { HttpAnswer } from './exchange.ts';
import type { ListQuery } from './query.ts';
import { type Asked, type Handling, tooLarge } from './handling.ts';
import { WatchStream } from './watch-stream.ts';

/** As long as a real server lets a watch last at least when nobody says. */
const TIMEOUT_SECONDS_DEFAULT = 1800;
/** A watch that ends on time says where to go on. */
const BOOKMARK_BEFORE_END_SECONDS = 2;

export function answerWatch(handling: Handling, asked: Asked, query: ListQuery): HttpAnswer {
  const { server, texts } = handling;
  const headers = { 'content-type': 'application/json' };
  if (Number(query.resourceVersion) > server.store.revision) {
    const status = statusOf(tooLarge(Number(query.resourceVersion), server.store.revision));
    return { kind: 'pieces', headers, pieces: [`${JSON.stringify({ type: 'ERROR', object: status })}\n`] };
  }
  const stream = new WatchStream({ clock: server.clock, texts }, asked.wanted);
  const opened = server.resources.watch({
    selection: { ...query, target: asked.target },
    start: startOf(query),
    wantsBookmarks: query.wantsBookmarks,
    event: (event) => stream.note(event),
  });
  if (opened.kind === 'error') return answerRefusal(opened.error);
  const close = opened.value;
  return {
    kind: 'stream',
    headers,
    run(sink) {
      const seconds = query.timeoutSeconds ?? TIMEOUT_SECONDS_DEFAULT;
      const cancelEnd = server.clock.after(seconds * 1000, () => stream.end());
      const isMarked = query.wantsBookmarks && seconds > BOOKMARK_BEFORE_END_SECONDS;
      const cancelBookmark = isMarked
        ? server.clock.after((seconds - BOOKMARK_BEFORE_END_SECONDS) * 1000, () =>
            stream.note({ kind: 'BOOKMARK', revision: server.store.revision, endsInitialEvents: false }),
          )
        : () => undefined;
      stream.flowInto(sink, () => {
        cancelEnd();
        cancelBookmark();
        close();
      });
      return () => stream.end();
    },
  };
}

function startOf(query: ListQuery): StoreStart {
  if (query.wantsInitialEvents) return { kind: 'initial', isMarked: query.wantsBookmarks };
  const isAny = query.resourceVersion === '' || query.resourceVersion === '0';
  if (isAny) return { kind: 'initial', isMarked: false };
  return { kind: 'after', revision: Number(query.resourceVersion) };
}
