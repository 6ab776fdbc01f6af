// The worker as a process, against servers on loopback that hang, lie, are slow or cut their answers short.

import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path, { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { reportBytesMax } from '../src/base/worker-report.ts';
import { type StubApiOptions, workerUser } from './support/stub-api.ts';
import type { DnsManner } from './support/stub-dns.ts';
import { workerStage } from './support/worker-stage.ts';

const { work, plain, dnsThat, apiThat, scratch } = workerStage();

const only = (name: string, params: object = {}) => ({ checks: [{ name, params }] });

describe('a worker on a good node', () => {
  it('passes the usual checks, says whose node it is, and exits with 0', async () => {
    const [dns, api] = [await dnsThat(), await apiThat()];
    const end = await work({ dns, api }, {});
    expect(end).toMatchObject({ code: 0, stderr: '', terminationMessage: end.stdout.trim() });
    expect(end.report).toMatchObject({
      nodeName: 'worker-1',
      nodeUID: '5f0c9c1e-7d7b-4a59-9f0e-1f2d3c4b5a69',
      nonce: 'attempt-1',
      verdict: 'pass',
      isComplete: true,
    });
    expect(end.report?.checks.map(({ id, verdict }) => `${id} ${verdict}`)).toEqual([
      'dns pass',
      'api pass',
      'network pass',
      'service-discovery pass',
    ]);
    expect(end.check('api')?.message).toBe(`accepted as ${workerUser}`);
    expect(api.asked).toEqual(['GET /readyz', 'POST /apis/authentication.k8s.io/v1/selfsubjectreviews']);
    expect([...api.tokens]).toEqual(['Bearer a.short-lived.token']);
  });

  it('does not fail it for an advisory check, nor for a question lost once', async () => {
    const dns = await dnsThat({ manner: 'second-time' });
    const mtu = { name: 'mtu', severity: 'advisory' };
    const end = await work({ dns }, { checks: [{ name: 'dns' }, mtu], reportResultsToAPI: true });
    expect(end).toMatchObject({ code: 0, report: { verdict: 'pass', isForAnnotation: true } });
    expect(end.check('mtu')).toMatchObject({ verdict: 'inconclusive', severity: 'advisory' });
  });

  it('reports fifty failing checks within a termination message', async () => {
    const checks = Array.from({ length: 50 }, (_, index) => ({
      name: 'dns',
      id: `dns-check-number-${index}`,
    }));
    const end = await work({ dns: await dnsThat({ manner: 'nxdomain' }) }, { checks });
    expect(end.code).toBe(1);
    expect(end.report?.checks).toHaveLength(50);
    expect(Buffer.byteLength(end.terminationMessage)).toBeLessThanOrEqual(reportBytesMax);
  });
});

describe('DNS', () => {
  const codes: Readonly<Partial<Record<DnsManner, string>>> = {
    nxdomain: 'NameNotFound',
    servfail: 'ServerFailure',
    empty: 'NoAddress',
    silent: 'Timeout',
    'cut-twice': 'Truncated',
    refused: 'QueryRefused',
    garbage: 'BadAnswer',
    'wrong-question': 'BadAnswer',
    'wrong-id': 'Timeout',
  };

  it.each(Object.entries(codes))(
    'that answers with %s fails with %s and exit code 1',
    async (manner, code) => {
      const dns = await dnsThat({ manner: manner as DnsManner });
      const end = await work({ dns }, { ...only('dns'), checkTimeout: '600ms' });
      expect(end.code).toBe(1);
      expect(end.check('dns')).toMatchObject({ verdict: 'fail', code });
    },
  );

  it('that cuts its datagrams passes by TCP', async () => {
    const end = await work({ dns: await dnsThat({ manner: 'cut' }) }, only('dns'));
    expect(end).toMatchObject({ code: 0, report: { verdict: 'pass' } });
  });

  it('that is not there fails as refused', async () => {
    expect((await work({}, only('dns'))).check('dns')).toMatchObject({ verdict: 'fail', code: 'Refused' });
  });

  it.each(['10.0.0.1', 'localhost'])('asked for %s is a configuration error, not a pass', async (name) => {
    const dns = await dnsThat();
    expect(await work({ dns }, { dnsTestDomains: [name] })).toMatchObject({ code: 2 });
    expect(dns.asked).toEqual([]);
  });

  it('that lies about a Service fails, and what it names is not contacted', async () => {
    const api = await apiThat();
    const decoy = createServer();
    const visitors: unknown[] = [];
    decoy.on('connection', (socket) => void visitors.push(socket.destroy()));
    decoy.listen(api.port, '127.0.0.2');
    await once(decoy, 'listening');
    const zone = { 'kubernetes.default.svc.cluster.local.': ['127.0.0.1', '127.0.0.2'] };
    const end = await work({ dns: await dnsThat({ zone }), api }, only('service-discovery'));
    decoy.close();
    expect(end.check('service-discovery')).toMatchObject({ verdict: 'fail', code: 'WrongAddress' });
    expect(visitors).toEqual([]);
  });

  it('fails when one of two pods stays silent, unless that is allowed', async () => {
    const dns = await dnsThat();
    const params = { addresses: ['127.0.0.1', '127.0.0.2'], port: dns.port };
    const config = { allowedTargets: ['127.0.0.0/8'], checkTimeout: '600ms' };
    const strict = await work({ dns }, { ...config, ...only('dns-endpoints', params) });
    const lenient = await work({ dns }, { ...config, ...only('dns-endpoints', { ...params, silentMax: 1 }) });
    expect([strict.code, lenient.code]).toEqual([1, 0]);
    expect(strict.check('dns-endpoints')?.message).toContain('1 of 2 DNS pods answered');
  });
});

describe('an API server', () => {
  type Row = readonly [string, StubApiOptions, 'fail' | 'inconclusive', string];
  const rows: readonly Row[] = [
    ['accepts TCP and never speaks TLS', { silent: 'tls' }, 'fail', 'Timeout'],
    ['never answers', { silent: 'http' }, 'fail', 'Timeout'],
    ['has an expired certificate', { certificate: 'expired' }, 'fail', 'CertificateExpired'],
    [
      'is vouched for by an expired authority',
      { certificate: 'of-an-expired-authority' },
      'fail',
      'CertificateExpired',
    ],
    ['has a certificate of tomorrow', { certificate: 'too-early' }, 'fail', 'CertificateTooEarly'],
    ['has the certificate of a stranger', { certificate: 'of-a-stranger' }, 'fail', 'CertificateRefused'],
    ['has the certificate of another host', { certificate: 'of-another-host' }, 'fail', 'CertificateRefused'],
    ['answers 401', { readyz: 401 }, 'fail', 'Unauthorized'],
    ['takes the worker for nobody', { user: 'system:anonymous' }, 'fail', 'Unauthorized'],
    ['takes the worker for another', { user: 'system:serviceaccount:other:a' }, 'fail', 'Unauthorized'],
    ['answers 403 to an optional read', { readyz: 403 }, 'inconclusive', 'Forbidden'],
    ['answers 503', { readyz: 503 }, 'inconclusive', 'ServerError'],
    ['answers 429', { review: 429 }, 'inconclusive', 'ServerError'],
    ['redirects, which is not followed', { readyz: 302 }, 'fail', 'BadAnswer'],
    ['cuts its answer short', { body: 'cut' }, 'fail', 'BadAnswer'],
    ['answers without end', { body: 'endless' }, 'fail', 'BadAnswer'],
    ['speaks another protocol', { body: 'not-http' }, 'fail', 'BadAnswer'],
    ['says something else than who the worker is', { reviewBody: '<html>' }, 'fail', 'BadAnswer'],
  ];

  it.each(rows)('that %s', async (_sentence, options, verdict, code) => {
    const end = await work({ api: await apiThat(options) }, { ...only('api'), checkTimeout: '1s' });
    expect(end.check('api')).toMatchObject({ verdict, code });
    expect(end.code).toBe(verdict === 'fail' ? 1 : 3);
    expect(end.check('api')?.ms).toBeLessThan(1500);
  });

  it('without a mounted token says nothing about the node', async () => {
    const api = await apiThat();
    const end = await work({ api }, { ...only('api'), tokenFile: join(scratch(), 'none') });
    expect(end).toMatchObject({ code: 3, report: { verdict: 'inconclusive' } });
    expect(api.asked).toEqual([]);
  });
});

describe('a clock', () => {
  it.each([
    ['60 s behind the API server fails', 60_000, 1],
    ['60 s ahead of it fails', -60_000, 1],
    ['1 s behind passes', 1000, 0],
    ['1 s ahead passes', -1000, 0],
  ])('%s', async (_sentence, aheadMs, code) => {
    const end = await work({ api: await apiThat({ aheadMs }) }, only('clock-skew'));
    expect(end.code).toBe(code);
  });

  it('that cannot be compared says nothing', async () => {
    const end = await work(
      { api: await apiThat({ silent: 'tls' }) },
      { ...only('clock-skew'), checkTimeout: '500ms' },
    );
    expect(end.code).toBe(3);
    expect(end.check('clock-skew')).toMatchObject({ verdict: 'inconclusive', code: 'Timeout' });
  });
});

describe('a disk', () => {
  it('that takes longer than allowed to write fails with what was measured', async () => {
    const end = await work({}, only('fsync-latency', { writes: 5, p99MsMax: 0 }));
    expect(end.code).toBe(1);
    expect(end.check('fsync-latency')).toMatchObject({
      code: 'DiskSlow',
      message: expect.stringMatching(/^p99 of 5 writes is \d+\.\d ms, at most 0 ms are allowed$/),
    });
  });

  it('that hangs fails by its time, and the report is written even if the process cannot end', async () => {
    spawnSync('mkfifo', [join(scratch(), 'muster-fsync')]);
    // More tries than Node has threads for files.
    const checks = [1, 2, 3, 4, 5].map((number) => ({ name: 'fsync-latency', id: `try-${number}` }));
    const end = await work({}, { checks, checkTimeout: '300ms' }, { isKilledAfterReport: true });
    expect(end.check('try-1')).toMatchObject({ verdict: 'fail', code: 'Timeout' });
    expect(end.report?.verdict).toBe('fail');
  });

  it('that is not there says nothing about the node', async () => {
    const config = {
      checks: [{ name: 'disk-space' }, { name: 'fsync-latency' }],
      scratchDirectory: '/nowhere',
    };
    expect(await work({}, config)).toMatchObject({ code: 3, report: { verdict: 'inconclusive' } });
  });
});

describe('SIGTERM', () => {
  it('in the middle of a check ends the worker within 2 s, with a partial report that blames nobody', async () => {
    const api = await apiThat({ silent: 'tls' });
    const dns = await dnsThat({ manner: 'silent' });
    let killedAt = 0;
    const config = {
      checkTimeout: '60s',
      checks: [{ name: 'dns' }, { name: 'api' }, { name: 'fsync-latency' }],
    };
    const end = await work({ dns, api }, config, {
      async onStart(kill) {
        await dns.firstAsked;
        killedAt = performance.now();
        kill('SIGTERM');
      },
    });
    expect(performance.now() - killedAt).toBeLessThan(2000);
    expect(end).toMatchObject({ code: 3, report: { verdict: 'inconclusive', isComplete: false } });
    expect(end.check('dns')).toMatchObject({ verdict: 'inconclusive', code: 'Interrupted' });
    expect(end.check('api')).toMatchObject({ verdict: 'inconclusive', code: 'Interrupted' });
  });

  it('is not needed by a run that takes too long', async () => {
    const config = { ...only('dns'), checkTimeout: '60s', runTimeout: '1s' };
    const end = await work({ dns: await dnsThat({ manner: 'silent' }) }, config);
    expect(end).toMatchObject({ code: 3, report: { isComplete: false } });
  });
});

describe('a configuration', () => {
  it.each([
    ['without a node', { nodeName: undefined }, 'NODE_NAME: is required'],
    ['with an unknown key', { colour: 'red' }, 'colour: is not a known key'],
    ['without checks', { checks: [] }, 'checks: must be a list with at least one check'],
  ])('%s is refused with exit code 2 before any probe', async (_sentence, config, problem) => {
    const [dns, api] = [await dnsThat(), await apiThat()];
    const end = await work({ dns, api }, config);
    expect(end).toMatchObject({
      code: 2,
      report: { verdict: 'inconclusive', isComplete: false, checks: [] },
    });
    expect(end.stderr).toContain(problem);
    expect(end.report?.problems.join()).toContain(problem);
    expect([...dns.asked, ...api.asked]).toEqual([]);
  });

  it('that is refused is reported of the node and to the file that flags name', async () => {
    const file = path.join(await mkdtemp(path.join(tmpdir(), 'muster-worker-')), 'termination-log');
    const args = ['--node-name', 'a', '--node-uid=uid-1', `--termination-log=${file}`, '--checks', 'dns,foo'];
    const end = await plain({ args });
    expect(end.code).toBe(2);
    expect(await readFile(file, 'utf8')).toBe(end.stdout.trim());
    expect(JSON.parse(end.stdout)).toMatchObject({ node: 'a', uid: 'uid-1' });
    await rm(path.dirname(file), { recursive: true });
  });

  it('in YAML is read like one in JSON', async () => {
    const dns = await dnsThat();
    const text = `nodeName: a\nkubernetesServiceHost: 127.0.0.1\nclusterDNSIP: 127.0.0.1:${dns.port}\nchecks:\n  - name: dns\n`;
    expect(await plain({ args: ['--config-text', text] })).toMatchObject({
      code: 0,
    });
  });

  it('that is neither says where it is wrong', async () => {
    const end = await plain({ args: ['--config-text', '{a: ['] });
    expect(end).toMatchObject({ code: 2, stderr: expect.stringMatching(/^muster worker: --config-text: /) });
  });
});
