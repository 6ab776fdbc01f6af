import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import {
  type Changes,
  type KubeApiOverHttp,
  startKubeApiOverHttp,
} from '../../test/support/kube-api-over-http.ts';
import { settle } from '../../test/support/manual-clock.ts';
import type { Script, ScriptedResponse } from '../../test/support/scripted-server.ts';
import { ok } from '../base/result.ts';
import { nodeType } from '../objects/ref.ts';

const cleanups: (() => unknown)[] = [];

afterEach(async () => {
  for (const cleanUp of cleanups.splice(0).toReversed()) await cleanUp();
});

async function setUp(script: Script, changes?: Changes): Promise<KubeApiOverHttp> {
  const started = await startKubeApiOverHttp(script, changes);
  cleanups.push(started.close);
  return started;
}

const node = (name: string) => ({ type: nodeType, namespace: '', name });
const a = node('a');

function json(response: ScriptedResponse, value: unknown, { status = 200, headers = {} } = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));
}

function refusal(code: number, reason: string) {
  return { kind: 'Status', status: 'Failure', code, reason, message: `it is ${reason}` };
}

/** Keeps every request open until the test answers it, in the order of arrival. */
function held() {
  const open: ScriptedResponse[] = [];
  const arrived = (count: number) => expect.poll(() => open.length).toBe(count);
  const script: Script = (_request, response) => open.push(response);
  return { open, script, arrived };
}

describe.each<[string, Changes, string]>([
  ['HTTP/2', {}, '2.0'],
  ['HTTP/1.1 by choice of the server', { protocols: 'http1' }, '1.1'],
  ['HTTP/1.1 by our choice', { options: { protocol: 'http1' } }, '1.1'],
  ['plain HTTP', { protocols: 'plain' }, '1.1'],
])('over %s', (_name, changes, version) => {
  it('reads, writes and counts', async () => {
    const { api, server, counted } = await setUp((request, response) => {
      if (request.method === 'GET') json(response, { kind: 'Node', metadata: { name: 'a' } });
      else json(response, JSON.parse(request.body), { status: 201 });
    }, changes);
    expect(await api.get(a)).toEqual(ok({ kind: 'Node', metadata: { name: 'a' } }));
    expect(await api.create(a, { metadata: { name: 'größe' } })).toEqual(ok({ metadata: { name: 'größe' } }));
    expect(server.requests).toMatchObject([
      { method: 'GET', path: '/api/v1/nodes/a', version, body: '' },
      { method: 'POST', path: '/api/v1/nodes?fieldManager=muster', version },
    ]);
    expect(server.requests[1]?.headers).toMatchObject({
      accept: 'application/json',
      'user-agent': 'muster/test',
      'content-type': 'application/json',
      'content-length': '31',
    });
    expect(server.requests[0]?.headers).not.toHaveProperty('accept-encoding');
    expect(counted).toEqual(['get nodes 200', 'create nodes 201']);
  });
});

describe('answers', () => {
  it('come with a path before the path when the server has one', async () => {
    const started = await setUp((_request, response) => json(response, {}));
    const proxied = await setUp((_request, response) => json(response, {}), {
      connection: {
        server: `${started.server.url}/k8s/c-1/`,
        ca: { kind: 'inline', text: started.server.authority.certificate },
      },
    });
    await proxied.api.get(a);
    expect(started.server.requests[0]?.path).toBe('/k8s/c-1/api/v1/nodes/a');
  });

  it('are asked for on behalf of another user where that is wanted, and of nothing but the user', async () => {
    const options = { actsAs: 'system:node:a' };
    const { api, server } = await setUp((_request, response) => json(response, {}), { options });
    await api.get(a);
    await api.patch(a, { kind: 'strategic', body: {} }, { subresource: 'status' });
    const impersonating = server.requests.map(({ headers }) =>
      Object.entries(headers).filter(([name]) => name.startsWith('impersonate-')),
    );
    const user = [['impersonate-user', 'system:node:a']];
    expect(impersonating).toEqual([user, user]);
  });

  it('that are lists become pages', async () => {
    const { api } = await setUp((_request, response) =>
      json(response, {
        kind: 'NodeList',
        metadata: { resourceVersion: '7', continue: 'next' },
        items: [{ metadata: { name: 'a' } }],
      }),
    );
    expect(await api.list({ type: nodeType }, { limit: 1 })).toEqual(
      ok({ items: [{ metadata: { name: 'a' } }], resourceVersion: '7', continueToken: 'next' }),
    );
  });

  it('that are lists of nothing are empty pages', async () => {
    const { api } = await setUp((_request, response) =>
      json(response, { metadata: { resourceVersion: '7' }, items: null }),
    );
    expect(await api.list({ type: nodeType })).toEqual(
      ok({ items: [], resourceVersion: '7', continueToken: '' }),
    );
  });

  it.each([
    ['is not JSON', '<html>', 'the answer is not JSON'],
    ['is no object', '5', 'the answer is not an object'],
  ])('that %s leave a write in doubt', async (_name, body, message) => {
    const { api } = await setUp((_request, response) => response.end(body));
    expect(await api.get(a)).toMatchObject({ error: { reason: 'Malformed', effect: 'none', message } });
    expect(await api.patch(a, { kind: 'merge', body: {} })).toMatchObject({
      error: { reason: 'Malformed', effect: 'unknown', message },
    });
    expect(await api.list({ type: nodeType })).toMatchObject({ error: { reason: 'Malformed' } });
  });

  it('that refuse are classified and counted', async () => {
    const { api, counted } = await setUp((_request, response) =>
      json(response, refusal(409, 'AlreadyExists'), { status: 409 }),
    );
    expect(await api.create(a, {})).toMatchObject({
      error: { reason: 'AlreadyExists', code: 409, effect: 'none' },
    });
    expect(counted).toEqual(['create nodes 409']);
  });

  it('that never come leave a write in doubt', async () => {
    const { api, counted } = await setUp((_request, response) => response.stream?.session?.destroy());
    expect(await api.replace(a, {})).toMatchObject({ error: { reason: 'Unreachable', effect: 'unknown' } });
    expect(counted).toEqual(['update nodes Unreachable']);
  });
});

describe('time', () => {
  it('is limited for each call', async () => {
    const { script, arrived } = held();
    const { api, clock } = await setUp(script);
    const read = api.get(a, { timeoutMs: 1000 });
    const write = api.patch(a, { kind: 'merge', body: {} });
    await arrived(2);
    await clock.advance(1000);
    expect(await read).toMatchObject({
      error: { reason: 'Timeout', effect: 'none', message: 'no answer within 1000 ms' },
    });
    await clock.advance(29_000);
    expect(await write).toMatchObject({ error: { reason: 'Timeout', effect: 'unknown' } });
  });

  it('ends when the caller gives up', async () => {
    const { script, arrived } = held();
    const { api } = await setUp(script);
    const abort = new AbortController();
    const write = api.delete(a, { signal: abort.signal });
    await arrived(1);
    abort.abort();
    expect(await write).toMatchObject({ error: { reason: 'Aborted', effect: 'unknown' } });
    expect(await api.delete(a, { signal: abort.signal })).toMatchObject({
      error: { reason: 'Aborted', effect: 'none' },
    });
  });

  it('spent waiting for a place counts, and nothing was sent', async () => {
    const { script, arrived } = held();
    const { api, server, clock } = await setUp(script, { options: { limits: { inFlightMax: 1 } } });
    const first = api.get(a, { timeoutMs: 60_000 });
    await arrived(1);
    const second = api.patch(a, { kind: 'merge', body: {} }, { timeoutMs: 500 });
    await clock.advance(500);
    expect(await second).toMatchObject({ error: { reason: 'Timeout', effect: 'none' } });
    await clock.advance(60_000);
    await first;
    expect(server.requests).toHaveLength(1);
  });
});

describe('requests', () => {
  it('are 32 in flight, the rest in order; urgent ones go at once', async () => {
    const { open, script, arrived } = held();
    const { api, server } = await setUp(script);
    const calls = Array.from({ length: 40 }, (_, index) => api.get(node(`n${index}`)));
    await arrived(32);
    const renewal = api.replace(node('lease'), {}, { isUrgent: true });
    await arrived(33);
    expect(server.requests.at(-1)?.path).toContain('lease');
    json(open[32]!, {});
    expect(await renewal).toMatchObject({ kind: 'ok' });
    json(open[0]!, {});
    await arrived(34);
    expect(server.requests.at(-1)?.path).toContain('n32');
    for (const index of [...Array(41).keys()].filter((place) => place !== 0 && place !== 32)) {
      await expect.poll(() => open.length).toBeGreaterThan(index);
      json(open[index]!, {});
    }
    const answers = await Promise.all(calls);
    expect(answers.every((answer) => answer.kind === 'ok')).toBe(true);
  });

  it('are held back for as long as a 429 says, urgent ones excepted', async () => {
    const { api, server, clock } = await setUp((request, response) => {
      if (request.path.endsWith('/first')) {
        json(response, refusal(429, 'TooManyRequests'), { status: 429, headers: { 'retry-after': '5' } });
      } else json(response, {});
    });
    expect(await api.get(node('first'))).toMatchObject({
      error: { reason: 'TooManyRequests', retryAfterMs: 5000, effect: 'none' },
    });
    const call = api.get(a);
    const ended: unknown[] = [];
    api.watch(
      { type: nodeType },
      { kind: 'initialEvents' },
      {
        opened: () => ended.push('opened'),
        event: () => undefined,
        ended: (failure) => ended.push(failure),
      },
    );
    expect(await api.get(node('lease'), { isUrgent: true })).toMatchObject({ kind: 'ok' });
    expect(server.requests.map(({ path }) => path.split('/').at(-1))).toEqual(['first', 'lease']);
    await clock.advance(5000);
    expect(await call).toMatchObject({ kind: 'ok' });
    await expect.poll(() => ended.length).toBeGreaterThan(0);
  });

  it('write no faster than they may', async () => {
    const { api, server, clock } = await setUp((_request, response) => json(response, {}), {
      options: { limits: { writeRate: { qps: 1, burst: 1 } } },
    });
    await api.replace(a, {});
    const second = api.replace(a, {});
    await settle();
    expect(await api.get(a)).toMatchObject({ kind: 'ok' });
    expect(server.requests.map(({ method }) => method)).toEqual(['PUT', 'GET']);
    await clock.advance(1000);
    expect(await second).toMatchObject({ kind: 'ok' });
  });
});

describe('credentials', () => {
  it('are read again from the token file when the server refuses them', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'muster-token-'));
    cleanups.push(() => rm(dir, { recursive: true }));
    const path = join(dir, 'token');
    await writeFile(path, 'old\n');
    let accepted = 'Bearer old';
    const { api, server } = await setUp(
      (request, response) => {
        const isKnown = request.headers.authorization === accepted;
        json(response, isKnown ? {} : refusal(401, 'Unauthorized'), { status: isKnown ? 200 : 401 });
      },
      { connection: { credentials: { certificate: null, token: { kind: 'tokenFile', path } } } },
    );
    expect(await api.get(a)).toMatchObject({ kind: 'ok' });
    accepted = 'Bearer new';
    expect(await api.get(a)).toMatchObject({
      error: { reason: 'Unauthorized', code: 401, retry: 'backoff' },
    });
    await writeFile(path, 'new\n');
    expect(await api.get(a)).toMatchObject({ kind: 'ok' });
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer old',
      'Bearer old',
      'Bearer old',
      'Bearer new',
    ]);
  });

  it('that cannot be had are a refusal of ours', async () => {
    const { api, server, counted } = await setUp((_request, response) => json(response, {}), {
      connection: {
        credentials: { certificate: null, token: { kind: 'tokenFile', path: '/no/such/token' } },
      },
    });
    expect(await api.replace(a, {})).toMatchObject({
      error: { reason: 'Unauthorized', code: null, retry: 'backoff', effect: 'none' },
    });
    expect(server.requests).toEqual([]);
    expect(counted).toEqual(['update nodes Unauthorized']);
  });
});
