// An embedded API server under a manual clock, asked through its HTTP front without a socket.
import { createApiServer, type ApiServer } from '../../src/apiserver/api-server.ts';
import type { HttpAnswer } from '../../src/apiserver/http/exchange.ts';
import { createFront } from '../../src/apiserver/http/front.ts';
import type { SchemaCompiler } from '../../src/apiserver/schema-port.ts';
import { seededRandom } from '../../src/base/random.ts';
import { type ManualClock, manualClock, settle } from './manual-clock.ts';
import { openSchemas } from './open-schemas.ts';

export type Reply = {
  readonly code: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** Parsed, or the text when it is no JSON. */
  // oxlint-disable-next-line typescript/no-explicit-any -- a test reads answers of every form
  readonly body: any;
};

export type Watching = { readonly lines: readonly Line[]; isOver(): boolean; close(): void };
// oxlint-disable-next-line typescript/no-explicit-any -- a test reads objects of every kind
type Line = { readonly type: string; readonly object: any };

export type EmbeddedServer = {
  readonly server: ApiServer;
  readonly clock: ManualClock;
  call(
    method: string,
    path: string,
    ...rest: readonly [body?: unknown, headers?: Readonly<Record<string, string>>]
  ): Reply;
  watch(path: string, headers?: Readonly<Record<string, string>>): Watching;
  /** Lets the server's own controllers finish. */
  settle(): Promise<void>;
};

type Options = { readonly historySize?: number; readonly schemas?: SchemaCompiler; readonly token?: string };

export function startEmbeddedServer(options: Options = {}): EmbeddedServer {
  const clock = manualClock();
  const { historySize, schemas = openSchemas, token = null } = options;
  const server = createApiServer({
    clock,
    random: seededRandom(1),
    schemas,
    ...(historySize === undefined ? {} : { historySize }),
  });
  const front = createFront(server, { token });
  const ask = (method: string, url: string, rest: { body?: unknown; headers?: object } = {}): HttpAnswer => {
    const [path = '', query = ''] = url.split('?');
    const { body } = rest;
    const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
    const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
    const headers = { 'content-type': type, ...rest.headers };
    return front({ method, path, query: new URLSearchParams(query), headers, body: text });
  };
  return {
    server,
    clock,
    call: (method, path, ...[body, headers = {}]) => replyOf(ask(method, path, { body, headers })),
    watch: (path, headers = {}) => watchingOf(ask('GET', path, { headers })),
    settle: () => clock.advance(0),
  };
}

function replyOf(answer: HttpAnswer): Reply {
  if (answer.kind === 'stream') throw new Error('the answer is a stream');
  const text = answer.kind === 'whole' ? answer.text : [...answer.pieces].join('');
  return { code: answer.kind === 'whole' ? answer.code : 200, headers: answer.headers, body: parsed(text) };
}

function watchingOf(answer: HttpAnswer): Watching {
  if (answer.kind !== 'stream') throw new Error(`no stream: ${JSON.stringify(answer)}`);
  const lines: Line[] = [];
  let isOver = false;
  const close = answer.run({
    write: (text) =>
      lines.push(
        ...text
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line)),
      ) > 0,
    drained: settle,
    end: () => void (isOver = true),
  });
  return { lines, isOver: () => isOver, close };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
