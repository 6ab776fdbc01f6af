import { afterEach, describe, expect, it } from 'vitest';
import { type Changes, startKubeApiOverHttp } from '../../test/support/kube-api-over-http.ts';
import type { Script, ScriptedResponse } from '../../test/support/scripted-server.ts';
import { nodeType } from '../objects/ref.ts';
import type { ApiFailure, KubeApi, WatchEvent } from '../runtime/ports.ts';
import { LINE_BYTES_MAX } from './api-watch.ts';

const cleanups: (() => unknown)[] = [];

afterEach(async () => {
  for (const cleanUp of cleanups.splice(0).toReversed()) await cleanUp();
});

async function setUp(script: Script, changes?: Changes) {
  const started = await startKubeApiOverHttp(script, changes);
  cleanups.push(started.close);
  return started;
}

function watch(api: KubeApi, react: (event: WatchEvent) => void = () => undefined) {
  const calls: string[] = [];
  const events: WatchEvent[] = [];
  const over = Promise.withResolvers<ApiFailure | null>();
  const close = api.watch(
    { type: nodeType },
    { kind: 'after', resourceVersion: '1' },
    {
      opened: () => calls.push('opened'),
      event(event) {
        calls.push(event.kind);
        events.push(event);
        react(event);
      },
      ended(failure) {
        calls.push('ended');
        over.resolve(failure);
      },
    },
  );
  return { calls, events, over: over.promise, close };
}

const added = (name: string) => `${JSON.stringify({ type: 'ADDED', object: { metadata: { name } } })}\n`;

function names(events: readonly WatchEvent[]): readonly (string | undefined)[] {
  return events.map((event) => (event.kind === 'object' ? event.object.metadata?.name : event.kind));
}

/** Answers with 200 and the given pieces, each on its way before the next. */
function streaming(...pieces: readonly (string | Buffer)[]): Script {
  return (_request, response) => void writeAll(response, pieces);
}

async function writeAll(response: ScriptedResponse, pieces: readonly (string | Buffer)[]): Promise<void> {
  response.writeHead(200);
  for (const piece of pieces) await new Promise((resolve) => response.write(piece, resolve));
  response.end();
}

describe.each<[string, Changes]>([
  ['HTTP/2', {}],
  ['HTTP/1.1', { options: { protocol: 'http1' } }],
])('a watch over %s', (_name, changes) => {
  it('delivers events as they come and ends without an error when the server ends it', async () => {
    const { api, server, counted } = await setUp(streaming(added('a'), added('b') + added('c')), changes);
    const { calls, events, over } = watch(api);
    expect(await over).toBe(null);
    expect(calls).toEqual(['opened', 'object', 'object', 'object', 'ended']);
    expect(names(events)).toEqual(['a', 'b', 'c']);
    expect(server.requests[0]?.path).toMatch(
      /^\/api\/v1\/nodes\?watch=true&allowWatchBookmarks=true&timeoutSeconds=[345]\d\d&resourceVersion=1$/,
    );
    expect(counted).toEqual(['watch nodes 200']);
  });

  it('puts lines together that come in pieces', async () => {
    const bytes = Buffer.from(added('größe') + added('b'));
    const { api } = await setUp(streaming(...Array.from(bytes, (byte) => Buffer.from([byte]))), changes);
    const { events, over } = watch(api);
    expect(await over).toBe(null);
    expect(names(events)).toEqual(['größe', 'b']);
  });

  it('ends with a failure when the connection breaks', async () => {
    const { api, server } = await setUp((_request, response) => {
      response.writeHead(200);
      response.write(added('a'));
    }, changes);
    const { calls, over } = watch(api, () => void server.close().then(() => undefined));
    expect(await over).toMatchObject({ reason: 'Unreachable', retry: 'backoff' });
    expect(calls).toEqual(['opened', 'object', 'ended']);
    cleanups.length = 0;
  });

  it('delivers nothing after it is closed but its end', async () => {
    const { api } = await setUp(streaming(added('a') + added('b'), added('c')), changes);
    const started = watch(api, () => started.close());
    expect(await started.over).toBe(null);
    started.close();
    expect(started.calls).toEqual(['opened', 'object', 'ended']);
  });
});

describe('a line', () => {
  it('of garbage is delivered as such, and the next is read', async () => {
    const { api } = await setUp(streaming('<html>\n', added('a')));
    const { events, over } = watch(api);
    expect(await over).toBe(null);
    expect(events).toMatchObject([{ kind: 'garbled', text: '<html>' }, { kind: 'object' }]);
  });

  it('that breaks off ends the watch with a failure', async () => {
    const { api } = await setUp(streaming(added('a'), '{"type":"ADDED","obj'));
    const { events, over } = watch(api);
    expect(await over).toMatchObject({
      reason: 'Malformed',
      message: 'the watch ended in the middle of a line',
    });
    expect(names(events)).toEqual(['a']);
  });

  it('beyond the bound is garbled', async () => {
    const { api } = await setUp(streaming(Buffer.alloc(LINE_BYTES_MAX + 1, 'x'), `\n${added('a')}`));
    const { events, over } = watch(api);
    expect(await over).toBe(null);
    expect(names(events)).toEqual(['garbled', 'a']);
  });
});

describe('a start that is too old', () => {
  const expired = { kind: 'Status', code: 410, reason: 'Expired', message: 'too old resource version' };

  it('is told by an event in the stream', async () => {
    const { api } = await setUp(streaming(`${JSON.stringify({ type: 'ERROR', object: expired })}\n`));
    const { events, over } = watch(api);
    expect(await over).toBe(null);
    expect(events).toMatchObject([
      { kind: 'error', failure: { reason: 'Expired', code: 410, retry: 'soon' } },
    ]);
  });

  it('is told by the status of the answer', async () => {
    const { api, counted } = await setUp((_request, response) => {
      response.writeHead(410).end(JSON.stringify(expired));
    });
    const { calls, over } = watch(api);
    expect(await over).toMatchObject({ reason: 'Expired', message: 'too old resource version' });
    expect(calls).toEqual(['ended']);
    expect(counted).toEqual(['watch nodes 410']);
  });
});

describe('a watch that does not begin', () => {
  it('ends when the server does not answer in time', async () => {
    const arrived = Promise.withResolvers<void>();
    const { api, clock } = await setUp(() => arrived.resolve());
    const { calls, over } = watch(api);
    await arrived.promise;
    await clock.advance(30_000);
    expect(await over).toMatchObject({ reason: 'Timeout', message: 'no answer within 30000 ms' });
    expect(calls).toEqual(['ended']);
  });

  it('may stay open for any time once it has begun', async () => {
    const { api, clock } = await setUp(
      (_request, response) => {
        response.writeHead(200);
        response.write(added('a'));
      },
      { protocols: 'http1' },
    );
    const { calls } = watch(api);
    await expect.poll(() => calls).toEqual(['opened', 'object']);
    await clock.advance(3_600_000);
    expect(calls).toEqual(['opened', 'object']);
  });

  it('ends once when it is closed at once', async () => {
    const { api, server } = await setUp(streaming(added('a')));
    const { calls, over, close } = watch(api);
    close();
    close();
    expect(await over).toBe(null);
    expect(calls).toEqual(['ended']);
    expect(server.requests).toEqual([]);
  });

  it('waits out a pause that the server asked for', async () => {
    let isBusy = true;
    const { api, server, clock } = await setUp((_request, response) => {
      if (isBusy) response.writeHead(429, { 'retry-after': '3' }).end('{}');
      else response.writeHead(200).end(added('a'));
    });
    const first = watch(api);
    expect(await first.over).toMatchObject({ reason: 'TooManyRequests', retryAfterMs: 3000 });
    isBusy = false;
    const second = watch(api);
    await clock.advance(2999);
    expect(server.requests).toHaveLength(1);
    await clock.advance(1);
    expect(await second.over).toBe(null);
    expect(second.calls).toEqual(['opened', 'object', 'ended']);
  });
});
