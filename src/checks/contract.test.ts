// What every check owes: it passes in a good world, blames a bad one, blames nobody when it could not look, ends with its
// signal and never throws. Against real sockets on loopback.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { openScene, type Scene, type SceneOptions, tryCheck } from '../../test/support/worker-scene.ts';
import { reportLimits } from '../base/worker-report.ts';
import { codeMeanings } from './codes.ts';
import { checks } from './list.ts';
import { createTargetRules } from './targets.ts';

type Case = {
  readonly scene?: SceneOptions;
  readonly params?: (scene: Scene) => unknown;
  readonly code?: string;
};
type Duties = {
  readonly good: Case;
  readonly bad: Case;
  /** It could not look. */
  readonly blind: Case;
  /** A world in which it waits until it is told to stop. */
  readonly endless: Case;
};

const silentDns: Case = { scene: { dns: { manner: 'silent' } } };
const silentApi: Case = { scene: { api: { silent: 'tls' } } };
const silentPeers: Case['params'] = ({ dns }) => ({ peers: [{ address: dns.address, port: dns.port }] });
const peers: Case['params'] = ({ peer }) => ({ peers: [peer] });
const podOf = ({ dns }: Scene) => ({ addresses: [dns.address], port: dns.port });

const duties: Readonly<Record<string, Duties>> = {
  dns: {
    good: {},
    bad: { scene: { dns: { manner: 'nxdomain' } }, code: 'NameNotFound' },
    blind: { scene: { resolvConf: '# empty' }, code: 'NothingToCheck' },
    endless: silentDns,
  },
  'dns-endpoints': {
    good: { params: podOf },
    bad: { params: podOf, scene: { dns: { manner: 'servfail' } }, code: 'ServerFailure' },
    blind: { code: 'NothingToCheck' },
    endless: { ...silentDns, params: podOf },
  },
  api: {
    good: {},
    bad: { scene: { api: { readyz: 401 } }, code: 'Unauthorized' },
    blind: { scene: { hasToken: false }, code: 'NoCredentials' },
    endless: silentApi,
  },
  network: {
    good: {},
    bad: {
      params: () => ({ targets: [{ address: '127.0.0.1', port: 1, protocol: 'tcp' }] }),
      code: 'Refused',
    },
    blind: { scene: { resolvConf: '' }, code: 'NothingToCheck' },
    endless: silentDns,
  },
  'service-discovery': {
    good: {},
    bad: {
      scene: { dns: { zone: { 'kubernetes.default.svc.cluster.local.': ['10.66.6.6'] } } },
      code: 'WrongAddress',
    },
    blind: { scene: { resolvConf: '' }, code: 'NothingToCheck' },
    endless: silentDns,
  },
  'clock-skew': {
    good: {},
    bad: { scene: { api: { aheadMs: 60_000 } }, code: 'ClockSkewed' },
    blind: { scene: { api: { aheadMs: null } }, code: 'NoDate' },
    endless: silentApi,
  },
  'disk-space': {
    good: { params: () => ({ freePercentMin: 0, freeInodesPercentMin: 0 }) },
    bad: { params: () => ({ freePercentMin: 0, freeMiBMin: 1_000_000 }), code: 'DiskFull' },
    blind: { scene: { hasScratch: false }, code: 'NoScratch' },
    endless: { params: () => ({ freePercentMin: 0, freeInodesPercentMin: 0 }) },
  },
  'fsync-latency': {
    good: { params: () => ({ writes: 3, p99MsMax: 60_000 }) },
    bad: { params: () => ({ writes: 1, p99MsMax: 0 }), code: 'DiskSlow' },
    blind: { scene: { hasScratch: false }, code: 'NoScratch' },
    endless: { params: () => ({ writes: 1000 }) },
  },
  'peer-echo': {
    good: { params: peers },
    bad: { params: silentPeers, scene: { dns: { manner: 'silent' } }, code: 'PacketLoss' },
    blind: { code: 'NothingToCheck' },
    endless: { params: silentPeers, ...silentDns },
  },
  mtu: {
    good: { params: peers },
    bad: { params: ({ narrowPeer }) => ({ peers: [narrowPeer], mtu: 1500 }), code: 'MtuBlackhole' },
    blind: { params: silentPeers, scene: { dns: { manner: 'silent' } }, code: 'PeerUnreachable' },
    endless: { params: silentPeers, ...silentDns },
  },
};

let scene: Scene | null = null;

afterEach(() => {
  scene?.close();
  scene = null;
});

async function enter({ scene: options, params }: Case) {
  scene = await openScene(options);
  return { world: scene.world, params: params?.(scene) };
}

describe.each(checks.map((check) => [check.name, check] as const))('the check %s', (name, check) => {
  const { good, bad, blind, endless } = duties[name] ?? { good: {}, bad: {}, blind: {}, endless: {} };

  it('has its duties listed here', () => expect(Object.keys(duties)).toContain(name));

  it('passes in a good world', async () => {
    expect(await tryCheck(check, await enter(good))).toMatchObject({ kind: 'pass' });
  });

  it('fails in a bad world and says why', async () => {
    const outcome = await tryCheck(check, { ...(await enter(bad)), timeoutMs: 600 });
    expect(outcome).toMatchObject({ kind: 'fail', code: bad.code });
    expect(outcome.message).not.toBe('');
  });

  it('is inconclusive when it could not look', async () => {
    const outcome = await tryCheck(check, { ...(await enter(blind)), timeoutMs: 600 });
    expect(outcome).toMatchObject({ kind: 'inconclusive', code: blind.code });
  });

  it('ends with its signal and blames nobody', async () => {
    const stop = new AbortController();
    const running = tryCheck(check, { ...(await enter(endless)), timeoutMs: 60_000, stop: stop.signal });
    stop.abort(new Error('SIGTERM'));
    expect((await running).kind).not.toBe('fail');
  });

  it('ends by its deadline, with a code that the reference knows', async () => {
    const trial = await enter(endless);
    const started = performance.now();
    const outcome = await tryCheck(check, { ...trial, timeoutMs: 300 });
    expect(performance.now() - started).toBeLessThan(1500);
    if (outcome.kind !== 'pass') expect(Object.keys(codeMeanings)).toContain(outcome.code);
    expect(outcome.message).not.toBe('');
  });

  it('takes any parameters whatever for a run or for a list of problems with paths', () => {
    const targets = createTargetRules({ allowed: [], denied: [] });
    const keys = fc.constantFrom(...Object.keys(check.params), 'colour');
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), fc.dictionary(keys, fc.jsonValue())), (raw) => {
        const run = check.prepare(raw, { path: 'params', targets });
        if (run.kind === 'error')
          expect(run.error.every(({ path, message }) => path.startsWith('params') && message !== '')).toBe(
            true,
          );
        else expect(run.value).toBeTypeOf('function');
      }),
      { numRuns: 200 },
    );
  });
});

describe('the list of checks', () => {
  it('gives each its own name and a summary', () => {
    expect(new Set(checks.map(({ name }) => name)).size).toBe(checks.length);
    for (const { summary } of checks) expect(summary).not.toBe('');
  });

  it('uses every code that the reference explains, and codes short enough for a report', () => {
    const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' });
    const sources = files
      .filter((file) => /(?<!\.test|codes)\.ts$/.test(file))
      .map((file) => readFileSync(join(import.meta.dirname, file), 'utf8'))
      .join('');
    const codes = Object.keys(codeMeanings);
    expect(codes.filter((code) => !sources.includes(`'${code}'`))).toEqual([]);
    expect(codes.filter((code) => code.length > reportLimits.codeLength)).toEqual([]);
  });

  it('describes every parameter', () => {
    for (const { params } of checks) for (const { help } of Object.values(params)) expect(help).not.toBe('');
  });
});
