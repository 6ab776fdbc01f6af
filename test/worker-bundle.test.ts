// The worker as it is shipped: under its other name, as is the operator under its, within the memory that its pod asks for, without the packages of others.

import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type StubApi, startStubApi } from './support/stub-api.ts';
import { type StubDns, startStubDns } from './support/stub-dns.ts';
import { buildWorker, runWorker, type WorkerEnd } from './support/worker-process.ts';

const MIB = 1024;
const names = ['dns', 'api', 'network', 'service-discovery', 'clock-skew', 'disk-space', 'fsync-latency'];

let bundle: Awaited<ReturnType<typeof buildWorker>>;
let dns: StubDns;
let api: StubApi;
let folder = '';

beforeAll(async () => {
  [bundle, dns, api] = await Promise.all([buildWorker(), startStubDns(), startStubApi()]);
  folder = mkdtempSync(join(tmpdir(), 'muster-bundle-'));
});
afterAll(() => {
  for (const close of [() => bundle.remove(), () => dns.close(), () => api.close()]) close();
  rmSync(folder, { recursive: true });
});

const environment = () => ({
  NODE_NAME: 'worker-1',
  KUBERNETES_SERVICE_HOST: '127.0.0.1',
  KUBERNETES_SERVICE_PORT: String(api.port),
  CLUSTER_DNS_IP: `127.0.0.1:${dns.port}`,
  CERTIFICATE_AUTHORITY: api.authorityFile,
  TOKEN_FILE: api.tokenFile,
  SCRATCH_DIRECTORY: folder,
});

describe('the bundle', () => {
  it('runs the operator as kube-node-ready-controller', async () => {
    const script = join(folder, 'kube-node-ready-controller');
    symlinkSync(bundle.script, script);
    const run = { script, hasCommandInName: true };
    expect((await runWorker({ ...run, args: ['--help'] })).stdout).toMatch(/^Usage: muster operator /);
    expect(await runWorker({ ...run, args: ['--wings'] })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--wings: is not a flag'),
    });
  });
});

describe('the bundle of the worker', () => {
  it('runs as kube-node-ready-worker with nothing but variables', async () => {
    const script = join(folder, 'kube-node-ready-worker');
    symlinkSync(bundle.script, script);
    const end = await runWorker({
      script,
      hasCommandInName: true,
      environment: { ...environment(), WORKER_MODE: 'true' },
    });
    expect(end).toMatchObject({ code: 0, report: { verdict: 'pass' } });
  });

  it('stays within 64 MiB at its peak, and loads neither a YAML parser nor fetch', async () => {
    const probe = join(folder, 'probe.cjs');
    writeFileSync(probe, probeSource);
    const checks = names.map((name) => ({
      name,
      params: name === 'disk-space' ? { freePercentMin: 0 } : {},
    }));
    const end = await runWorker({
      script: bundle.script,
      nodeFlags: ['--require', probe],
      environment: environment(),
      config: { checks },
    });
    expect(end.code).toBe(0);
    const { peakKiB, loaded } = readProbe(end);
    process.stderr.write(
      `worker: ${(peakKiB / MIB).toFixed(1)} MiB at its peak with ${names.length} checks\n`,
    );
    expect(peakKiB).toBeLessThanOrEqual(64 * MIB);
    expect(loaded.filter((name) => /undici|js-yaml|(?:operator|commands)\.cjs/.test(name))).toEqual([]);
  });
});

// VmHWM starts at zero with the program; the figure of getrusage starts with that of the process that spawned it.
const probeSource = `
const { existsSync, readFileSync } = require('node:fs');
process.on('exit', () => {
  const status = existsSync('/proc/self/status') ? readFileSync('/proc/self/status', 'utf8') : '';
  const peakKiB = Number(/VmHWM:\\s+(\\d+)/.exec(status)?.[1] ?? process.resourceUsage().maxRSS);
  const loaded = [...process.moduleLoadList, ...Object.keys(require.cache)];
  process.stderr.write(JSON.stringify({ peakKiB, loaded }));
});
`;

function readProbe({ stderr }: WorkerEnd): { readonly peakKiB: number; readonly loaded: readonly string[] } {
  return JSON.parse(stderr) as { peakKiB: number; loaded: string[] };
}
