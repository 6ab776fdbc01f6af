import { describe, expect, it } from 'vitest';
import { startEmbeddedServer } from '../../../test/support/embedded-server.ts';
import { createFront } from './front.ts';
import type { LogLine, LogListener, PodLogSupplier } from '../pod-logs.ts';

const pods = '/api/v1/namespaces/default/pods';
const lines: readonly LogLine[] = ['one', 'two', 'three'].map((text, index) => ({ at: index * 1000, text }));

function start(more: object = {}) {
  const embedded = startEmbeddedServer();
  const spec = { nodeName: 'n', containers: [{ name: 'c', image: 'i' }], ...more };
  embedded.call('POST', pods, { metadata: { name: 'a' }, spec });
  const log = (query = '') => embedded.call('GET', `${pods}/a/log?${query}`);
  return { ...embedded, log };
}

function supplier(written: readonly LogLine[] = lines) {
  const listeners = new Set<LogListener>();
  const source: PodLogSupplier = {
    linesOf: ({ node, container }) => (node === 'n' && container === 'c' ? written : null),
    follow: (_container, listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
  return { source, listeners };
}

describe('the log of a pod', () => {
  it('is what its supplier knows of the only container', () => {
    const { server, log } = start();
    server.podLogs.supplyBy(supplier().source);
    expect(log()).toMatchObject({ code: 200, body: 'one\ntwo\nthree\n' });
  });

  it.each([
    ['tailLines=1', 'three\n'],
    ['tailLines=0', ''],
    ['limitBytes=5', 'one\nt'],
    ['sinceTime=1970-01-01T00:00:02Z', 'three\n'],
    ['timestamps=true&tailLines=1', '1970-01-01T00:00:02.000Z three\n'],
  ])('is cut as %s says', (query, text) => {
    const { server, log } = start();
    server.podLogs.supplyBy(supplier().source);
    expect(log(query).body).toBe(text);
  });

  it('is followed for as long as it is written', () => {
    const { server } = start();
    const { source, listeners } = supplier();
    server.podLogs.supplyBy(source);
    const heard: string[] = [];
    const answer = createFront(server, { token: null })({
      method: 'GET',
      path: `${pods}/a/log`,
      query: new URLSearchParams('follow=true&tailLines=1'),
      headers: {},
      body: '',
    });
    if (answer.kind !== 'stream') throw new Error('it is not followed');
    answer.run({
      write: (text) => heard.push(text) > 0,
      drained: async () => undefined,
      end: () => void heard.push('end'),
    });
    for (const listener of listeners) {
      listener.line({ at: 3000, text: 'four' });
      listener.ended();
    }
    expect(heard).toEqual(['three\n', 'four\n', 'end']);
  });

  it('is what an unreachable kubelet leaves when nobody supplies it', () => {
    const { call, log } = start();
    expect(log()).toMatchObject({ code: 404, body: { message: 'pods "n" not found' } });
    const addresses = [{ type: 'InternalIP', address: '10.0.0.1' }];
    call('POST', '/api/v1/nodes', { metadata: { name: 'n' }, status: { addresses } });
    expect(log()).toMatchObject({
      code: 500,
      body: {
        message:
          'Get "https://10.0.0.1:10250/containerLogs/default/a/c": dial tcp 10.0.0.1:10250: connect: connection refused',
      },
    });
  });

  it('ends to be supplied when the supplier leaves', () => {
    const { server, log } = start();
    const leave = server.podLogs.supplyBy(supplier().source);
    leave();
    expect(log().code).toBe(404);
  });
});
