import { expect, it } from 'vitest';
import { startKubeApiOverHttp } from '../../test/support/kube-api-over-http.ts';
import { recordedMetrics } from '../../test/support/recorded-metrics.ts';
import { nodeType } from '../objects/ref.ts';
import { createApiMetrics, type Verb } from './api-metrics.ts';

const answer = (verb: Verb, code: string) => ({ verb, code });

it('requests are counted under the name of clients in Go as well, by method, status and host', () => {
  const metrics = recordedMetrics();
  const { answered } = createApiMetrics(metrics, 'kubernetes:443', () => 0);
  const answers = [
    ...['get', 'list', 'watch'].map((verb) => answer(verb as Verb, '200')),
    answer('create', '201'),
    answer('update', '409'),
    answer('patch', '200'),
    answer('patch', 'Timeout'),
    answer('delete', '404'),
  ];
  for (const { verb, code } of answers) answered({ verb, resource: 'nodes' }, code);
  const count = (method: string, code: string) =>
    metrics.value('rest_client_requests_total', { method, code, host: 'kubernetes:443' });
  const all = () => [
    count('GET', '200'),
    count('POST', '201'),
    count('PUT', '409'),
    count('PATCH', '200'),
    count('PATCH', '<error>'),
    count('DELETE', '404'),
  ];
  expect(all()).toEqual([3, 1, 1, 1, 1, 1]);
  answered({ verb: 'get', resource: 'nodes' }, '200');
  expect(all()).toEqual([4, 1, 1, 1, 1, 1]);
  expect(metrics.value('muster_api_requests_total', { verb: 'get', resource: 'nodes', code: '200' })).toBe(2);
});

it('the host is that of the server, with its port', async () => {
  const metrics = recordedMetrics();
  const { api, server, close } = await startKubeApiOverHttp(
    (_request, response) => response.writeHead(200).end('{}'),
    { options: { metrics } },
  );
  await api.get({ type: nodeType, namespace: '', name: 'a' });
  const { host } = new URL(server.url);
  expect(metrics.value('rest_client_requests_total', { method: 'GET', code: '200', host })).toBe(1);
  await close();
});
