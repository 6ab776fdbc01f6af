// Where a worker process meets stubs: built once per file of tests, its servers and scratch directory once per test.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { type StubApi, type StubApiOptions, startStubApi } from './stub-api.ts';
import { type StubDns, type StubDnsOptions, startStubDns } from './stub-dns.ts';
import { buildWorker, runWorker, type WorkerEnd, type WorkerRun } from './worker-process.ts';

type Servers = { readonly dns?: StubDns; readonly api?: StubApi };

export type WorkerStage = {
  readonly scratch: () => string;
  readonly dnsThat: (options?: StubDnsOptions) => Promise<StubDns>;
  readonly apiThat: (options?: StubApiOptions) => Promise<StubApi>;
  /** One try of each check and two seconds for it, unless the config says otherwise. */
  readonly work: (servers: Servers, config: object, run?: Partial<WorkerRun>) => Promise<WorkerEnd>;
  /** A worker that was told nothing. */
  readonly plain: (run: Partial<WorkerRun>) => Promise<WorkerEnd>;
};

/** To be called at the top of a file: it registers what runs before and after the tests. */
export function workerStage(): WorkerStage {
  let bundle: Awaited<ReturnType<typeof buildWorker>>;
  let scratch = '';
  let closing: (() => void)[] = [];
  beforeAll(async () => {
    bundle = await buildWorker();
  });
  afterAll(() => bundle.remove());
  beforeEach(() => {
    scratch = mkdtempSync(join(tmpdir(), 'muster-scratch-'));
    closing = [() => rmSync(scratch, { recursive: true })];
  });
  afterEach(() => {
    for (const close of closing) close();
  });
  const closed = async <S extends { close(): void }>(starting: Promise<S>): Promise<S> => {
    const server = await starting;
    closing.push(() => server.close());
    return server;
  };
  const plain: WorkerStage['plain'] = (run) => runWorker({ script: bundle.script, ...run });
  return {
    scratch: () => scratch,
    dnsThat: (options) => closed(startStubDns(options)),
    apiThat: (options) => closed(startStubApi(options)),
    plain,
    work: (servers, config, run) =>
      plain({ ...run, config: { ...configFor(servers), scratchDirectory: scratch, ...config } }),
  };
}

function configFor({ dns, api }: Servers): object {
  return {
    nodeName: 'worker-1',
    nodeUID: '5f0c9c1e-7d7b-4a59-9f0e-1f2d3c4b5a69',
    nonce: 'attempt-1',
    namespace: 'muster-system',
    checkTimeout: '2s',
    checkTries: 1,
    kubernetesServiceHost: '127.0.0.1',
    kubernetesServicePort: api?.port ?? 1,
    clusterDNSIP: `127.0.0.1:${dns?.port ?? 1}`,
    ...(api === undefined ? {} : { certificateAuthority: api.authorityFile, tokenFile: api.tokenFile }),
  };
}
