// Real workers on loopback: one as the control that echoes, others that check against it.

import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { workerStage } from './support/worker-stage.ts';
import type { WorkerEnd } from './support/worker-process.ts';

const { work, dnsThat } = workerStage();

const word = 'between-us';

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

type Control = { readonly port: number; readonly ended: Promise<WorkerEnd>; stop(): void };

/** A control worker that echoes: it says so when it does. */
async function controlThat(settings: { readonly duration?: string }, itsWord = word): Promise<Control> {
  const [dns, port] = [await dnsThat(), await freePort()];
  const echo = { bindAddress: `127.0.0.1:${port}`, duration: '1m', word: itsWord, ...settings };
  let stop = () => {};
  const echoing = Promise.withResolvers<void>();
  const config = { mode: 'control', checks: [{ name: 'dns' }], echo };
  const ended = work({ dns }, config, {
    onStart: (kill) => Promise.resolve(void (stop = () => kill('SIGTERM'))),
    onWords: (words) => void (words.includes('echo on port') && echoing.resolve()),
  });
  await Promise.race([echoing.promise, ended]);
  return { port, ended, stop: () => stop() };
}

function checkAgainst(...ports: readonly number[]): Promise<WorkerEnd> {
  const peers = ports.map((port) => ({ address: '127.0.0.1', port }));
  const checks = ['peer-echo', 'mtu'].map((name) => ({ name, params: { peers } }));
  return work({}, { allowedTargets: ['127.0.0.0/8'], echo: { word }, checks });
}

describe('a control worker', () => {
  it('answers the checks of others by UDP and TCP, and ends well when it is not needed any more', async () => {
    const control = await controlThat({});
    const end = await checkAgainst(control.port);
    expect(end).toMatchObject({ code: 0, report: { verdict: 'pass' } });
    expect(end.check('peer-echo')?.message).toBe('1 of 1 peers echo');
    control.stop();
    expect(await control.ended).toMatchObject({ code: 0, report: { verdict: 'pass' } });
  });

  it('ends by itself when its time is over', async () => {
    const control = await controlThat({ duration: '1s' });
    expect(await control.ended).toMatchObject({ code: 0 });
  });

  it('never answers from a node that fails its checks, and says so by its end', async () => {
    const dns = await dnsThat({ manner: 'nxdomain' });
    const end = await work(
      { dns },
      {
        mode: 'control',
        checks: [{ name: 'dns' }],
        echo: { bindAddress: '127.0.0.1:0', duration: '1m', word },
      },
    );
    expect(end).toMatchObject({ code: 1, report: { verdict: 'fail' }, stderr: '' });
  });

  it('that is silent does not fail a node that another one answers', async () => {
    const [control, silent] = [await controlThat({}), await dnsThat({ manner: 'silent' })];
    const end = await checkAgainst(silent.port, control.port);
    control.stop();
    expect(end).toMatchObject({ code: 0, report: { verdict: 'pass' } });
    await control.ended;
  });

  it('gives nothing to a worker that was told another word', async () => {
    const control = await controlThat({}, 'another');
    const end = await checkAgainst(control.port);
    expect(end.check('mtu')).toMatchObject({ verdict: 'inconclusive', code: 'PeerUnreachable' });
    control.stop();
    await control.ended;
  });
});
