// Worlds in which somebody lies, is cut short or is in the way, from the DNS server to the kubelet: the real checks run in each,
// and what they say is judged as the operator judges it. A sound node is never failed, and a broken one is never let in.

import { describe, expect, it } from 'vitest';
import { type CheckResult, formatReport } from '../src/base/worker-report.ts';
import { claiming, judged, one, reporting, type World } from './support/lying-world.ts';

const sound: Readonly<Record<string, World>> = {
  'nobody lies': { verdict: 'pass' },
  'the first question to DNS is lost': { scene: { dns: { manner: 'second-time' } }, verdict: 'pass' },
  'DNS cuts its datagrams': { scene: { dns: { manner: 'cut' } }, verdict: 'pass' },
  'the clock of the API server is a second off': {
    scene: { api: { aheadMs: 1000 } },
    checks: () => one('clock-skew'),
    verdict: 'pass',
  },
  'a check that is advisory fails': {
    checks: () => [
      ...one('dns'),
      { name: 'disk-space', severity: 'advisory', params: { freeMiBMin: 1_000_000 } },
    ],
    verdict: 'pass',
  },
  'the API server is overloaded': { scene: { api: { readyz: 503 } }, verdict: 'inconclusive' },
  'the API server asks for patience': { scene: { api: { review: 429 } }, verdict: 'inconclusive' },
  'the API server forbids what need not be allowed': {
    scene: { api: { readyz: 403 } },
    verdict: 'inconclusive',
  },
  'the API server says no time': {
    scene: { api: { aheadMs: null } },
    checks: () => one('clock-skew'),
    verdict: 'inconclusive',
  },
  'no token is mounted': { scene: { hasToken: false }, verdict: 'inconclusive' },
  'no resolver is configured': { scene: { resolvConf: '# empty' }, verdict: 'inconclusive' },
  'no directory is there for the checks of the disk': {
    scene: { hasScratch: false },
    checks: () => one('disk-space'),
    verdict: 'inconclusive',
  },
  'the peer that should echo is gone': {
    scene: { dns: { manner: 'silent' } },
    timeoutMs: 400,
    checks: ({ dns: { address, port } }) => one('mtu', { peers: [{ address, port }] }),
    verdict: 'inconclusive',
  },
  'its worker is stopped in the middle': {
    scene: { dns: { manner: 'silent' }, api: { silent: 'tls' } },
    isStopped: true,
    verdict: 'inconclusive',
  },
  'its worker is evicted while DNS is away': {
    scene: { dns: { manner: 'nxdomain' } },
    relay: (told) => ({ ...told, isDisrupted: true }),
    verdict: 'inconclusive',
  },
  'its worker runs out of memory with the code of a failure': {
    relay: (told) => ({ ...claiming('fail')(told), containerReason: 'OOMKilled' }),
    verdict: 'inconclusive',
  },
  'its worker is ended by its deadline': {
    relay: (told) => ({ ...claiming('fail')(told), podReason: 'DeadlineExceeded' }),
    verdict: 'inconclusive',
  },
  'its worker refuses its configuration': {
    relay: (told) => ({ ...claiming('fail')(told), exitCode: 2 }),
    verdict: 'inconclusive',
  },
  'the failure of another node is brought as its own': {
    relay: claiming('fail', { nodeName: 'b', nodeUID: 'uid-b' }),
    verdict: 'inconclusive',
  },
  'a failure of the node that had its name is brought again': {
    relay: claiming('fail', { nodeUID: 'uid-before' }),
    verdict: 'inconclusive',
  },
  'the failure of an earlier attempt is brought again': {
    relay: claiming('fail', { nonce: 'last-attempt' }),
    verdict: 'inconclusive',
  },
  'the exit code says failure and the report does not': {
    relay: (told) => ({ ...told, exitCode: 1 }),
    verdict: 'inconclusive',
  },
  'the kubelet cuts the report': {
    relay: (told) => ({ ...told, message: formatReport(told.report).slice(0, 80) }),
    verdict: 'inconclusive',
  },
};

const asAdvisory = (check: CheckResult) => ({ ...check, severity: 'advisory' as const });
const noDns = { dns: { manner: 'nxdomain' } } as const;

const broken: Readonly<Record<string, World>> = {
  'DNS does not answer': { scene: { dns: { manner: 'silent' } }, timeoutMs: 400, verdict: 'fail' },
  'DNS knows no name': { scene: noDns, verdict: 'fail' },
  'DNS cannot answer': { scene: { dns: { manner: 'servfail' } }, verdict: 'fail' },
  'DNS answers with nothing': { scene: { dns: { manner: 'empty' } }, verdict: 'fail' },
  'DNS answers with rubbish': { scene: { dns: { manner: 'garbage' } }, verdict: 'fail' },
  'DNS answers what nobody asked': { scene: { dns: { manner: 'wrong-question' } }, verdict: 'fail' },
  'a stranger answers in place of DNS': {
    scene: { dns: { manner: 'wrong-id' } },
    timeoutMs: 400,
    verdict: 'fail',
  },
  'DNS names other addresses than the Service has': {
    scene: { dns: { zone: { 'kubernetes.default.svc.cluster.local.': ['10.66.6.6'] } } },
    verdict: 'fail',
  },
  'the API server accepts and says nothing': {
    scene: { api: { silent: 'tls' } },
    timeoutMs: 400,
    verdict: 'fail',
  },
  'a stranger answers in place of the API server': {
    scene: { api: { certificate: 'of-a-stranger' } },
    verdict: 'fail',
  },
  'its clock is past the certificates': { scene: { api: { certificate: 'expired' } }, verdict: 'fail' },
  'a portal answers that everything is well': { scene: { api: { reviewBody: '<html>' } }, verdict: 'fail' },
  'a proxy sends everybody elsewhere': { scene: { api: { readyz: 302 } }, verdict: 'fail' },
  'a proxy speaks as somebody else': { scene: { api: { user: 'system:anonymous' } }, verdict: 'fail' },
  'its token is worth nothing': { scene: { api: { readyz: 401 } }, verdict: 'fail' },
  'answers are cut on the way': { scene: { api: { body: 'cut' } }, verdict: 'fail' },
  'its clock is a minute off': {
    scene: { api: { aheadMs: 60_000 } },
    checks: () => one('clock-skew'),
    verdict: 'fail',
  },
  'its disk is slow': { checks: () => one('fsync-latency', { writes: 1, p99MsMax: 0 }), verdict: 'fail' },
  'large packets vanish and small ones arrive': {
    timeoutMs: 400,
    checks: ({ narrowPeer }) => one('mtu', { peers: [narrowPeer], mtu: 1500 }),
    verdict: 'fail',
  },
  'its worker says that all is well': {
    scene: noDns,
    relay: reporting({ verdict: 'pass' }),
    verdict: 'inconclusive',
  },
  'its worker says that all is well, and ends so': {
    scene: noDns,
    relay: (told) => ({ ...reporting({ verdict: 'pass' })(told), exitCode: 0 }),
    verdict: 'inconclusive',
  },
  'its worker calls what failed advisory': {
    scene: noDns,
    relay: (told) => claiming('pass', { checks: told.report.checks.map(asAdvisory) })(told),
    verdict: 'inconclusive',
  },
  'its worker leaves out what failed': {
    scene: noDns,
    relay: (told) =>
      claiming('pass', { checks: told.report.checks.filter(({ verdict }) => verdict === 'pass') })(told),
    verdict: 'inconclusive',
  },
  'its worker ends well and says nothing': {
    scene: noDns,
    relay: (told) => ({ ...told, exitCode: 0, message: '' }),
    verdict: 'inconclusive',
  },
  'the pass of another node is brought as its own': {
    scene: noDns,
    relay: claiming('pass', { nodeName: 'b', nodeUID: 'uid-b' }),
    verdict: 'inconclusive',
  },
  'a pass of the node that had its name is brought again': {
    scene: noDns,
    relay: claiming('pass', { nodeUID: 'uid-before' }),
    verdict: 'inconclusive',
  },
  'the pass of an earlier attempt is brought again': {
    scene: noDns,
    relay: claiming('pass', { nonce: 'last-attempt' }),
    verdict: 'inconclusive',
  },
  'its kubelet says that the pod ended well': {
    scene: noDns,
    relay: (told) => ({ ...told, phase: 'Succeeded' }),
    verdict: 'inconclusive',
  },
  'its worker was stopped before it was done, and claims a pass': {
    scene: noDns,
    relay: claiming('pass', { isComplete: false }),
    verdict: 'inconclusive',
  },
};

describe('a sound node is never failed where', () => {
  it.each(Object.entries(sound))('%s', async (_, world) => {
    expect(await judged(world)).toBe(world.verdict);
    expect(world.verdict).not.toBe('fail');
  });
});

describe('a broken node is never let in where', () => {
  it.each(Object.entries(broken))('%s', async (_, world) => {
    expect(await judged(world)).toBe(world.verdict);
    expect(world.verdict).not.toBe('pass');
  });
});
