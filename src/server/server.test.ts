import { afterEach, describe, expect, it } from 'vitest';
import { manualClock } from '../../test/support/manual-clock.ts';
import { healthPage } from './health.ts';
import { type RunningServer, serve, textPage } from './http-server.ts';
import { watchLoop } from './loop-watch.ts';
import { createPrometheusMetrics } from './prometheus.ts';

const servers: RunningServer[] = [];
afterEach(() => Promise.all(servers.splice(0).map((server) => server.close())));

async function serving(routes: Parameters<typeof serve>[1]): Promise<string> {
  const server = await serve({ host: '127.0.0.1', port: 0 }, routes);
  if (server.kind === 'error') throw new Error(server.error);
  servers.push(server.value);
  return `http://127.0.0.1:${server.value.port}`;
}

describe('probes and metrics', () => {
  it('answers fixed paths, 404 elsewhere, 405 to writes, 500 to a page that throws', async () => {
    const url = await serving({
      '/healthz': () => textPage(200, 'ok'),
      '/broken': () => {
        throw new Error('no page');
      },
    });
    expect(await (await fetch(`${url}/healthz?x=1`)).text()).toBe('ok\n');
    expect((await fetch(`${url}/__proto__`)).status).toBe(404);
    expect((await fetch(`${url}/healthz`, { method: 'POST' })).status).toBe(405);
    expect((await fetch(`${url}/broken`)).status).toBe(500);
  });

  it('says in one sentence that an address is taken', async () => {
    const url = new URL(await serving({}));
    const second = await serve({ host: '127.0.0.1', port: Number(url.port) }, {});
    expect(second).toMatchObject({
      kind: 'error',
      error: expect.stringMatching(`^cannot listen on 127.0.0.1:${url.port}: .*EADDRINUSE`),
    });
  });

  it('fails health with the name of the check and what is wrong', () => {
    const page = healthPage([
      { name: 'a', problem: () => null },
      { name: 'b', problem: () => 'is late' },
    ]);
    expect(page).toMatchObject({ status: 503, text: 'ok a\nfailed b: is late\n' });
    expect(healthPage([]).status).toBe(200);
  });

  it('notices a loop that stood still, and recovers', async () => {
    const clock = manualClock();
    let blockedMs = 0;
    const { check, stop } = watchLoop({ ...clock, monotonicMs: () => clock.monotonicMs() + blockedMs });
    await clock.advance(10_000);
    expect(check.problem()).toBeNull();
    blockedMs = 30_000;
    expect(check.problem()).toBe('stood still for 29000 ms');
    await clock.advance(1_000);
    expect(check.problem()).toBeNull();
    stop();
    expect(clock.pendingTimers()).toBe(0);
  });

  it('exposes counters, gauges and histograms, and asks for gauges before each scrape', async () => {
    const metrics = createPrometheusMetrics();
    metrics.counter({ name: 'a_total', help: 'a', labels: ['kind'] }).add({ kind: 'x' }, 2);
    metrics.counter({ name: 'a_total', help: 'a', labels: ['kind'] }).add({ kind: 'x' });
    metrics.histogram({ name: 'b_seconds', help: 'b', buckets: [1] }).observe(0.5);
    const gauge = metrics.gauge({ name: 'c', help: 'c' });
    metrics.beforeScrape(() => gauge.set(7));
    const { text } = await metrics.expose();
    expect(text).toContain('a_total{kind="x"} 3');
    expect(text).toContain('b_seconds_bucket{le="1"} 1');
    expect(text).toContain('c 7');
  });
});
