// A request for a watch: where it begins, how long it may last, and the stream that carries it.

import { statusOf } from '../refusal.ts';
import type { StoreStart } from '../store/watches.ts';
import { answerRefusal } from './answer.ts';
import { type HttpAnswer, warningHeaders } from './exchange.ts';
import type { ListQuery } from './query.ts';
import { type Asked, type Handling, tooLarge } from './handling.ts';
import { WatchStream } from './watch-stream.ts';

/** As long as a real server lets a watch last at least when nobody says. */
const TIMEOUT_SECONDS_DEFAULT = 1800;

export function answerWatch(handling: Handling, asked: Asked, query: ListQuery): HttpAnswer {
  const { server, texts } = handling;
  const { definition } = asked.target;
  const headers = {
    'content-type': 'application/json',
    ...warningHeaders(definition.warning === null ? [] : [definition.warning]),
  };
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
      const cancel = server.clock.after(seconds * 1000, () => stream.end());
      stream.flowInto(sink, () => {
        cancel();
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
