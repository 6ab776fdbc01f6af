// Settings of a config file that nobody would miss if they were read and forgotten: each is shown by what the operator does, as a
// process, from source, before an embedded API server.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { leaderLeaseName, nodeLifecycleType, systemNamespace } from '../src/api/keys.ts';
import { kubeconfigText } from '../src/bin/kubeconfig-text.ts';
import { fieldsOf, textOf } from '../src/objects/raw.ts';
import { leaseType, nodeType } from '../src/objects/ref.ts';
import { until } from './control-plane/until.ts';
import { newNode } from './support/node-builder.ts';
import { type OperatorProcess, startOperator } from './support/operator-process.ts';
import { type ServedCluster, startServedCluster } from './support/served-cluster.ts';

const script = path.resolve(import.meta.dirname, '../src/bin/muster.ts');

let folder: string;
let cluster: ServedCluster;
const started: OperatorProcess[] = [];

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'muster-settings-'));
  cluster = await startServedCluster();
  writeFileSync(path.join(folder, 'kubeconfig'), kubeconfigText(cluster.url));
});
afterAll(async () => {
  for (const each of started) each.signal('SIGKILL');
  await cluster?.close();
  rmSync(folder, { recursive: true, force: true });
});

function startWith(config: object): OperatorProcess {
  const file = path.join(folder, `config-${started.length}.yaml`);
  writeFileSync(file, JSON.stringify(config));
  const operator = startOperator(path.join(folder, 'kubeconfig'), ['--config', file], script);
  started.push(operator);
  return operator;
}

async function joinNodes(prefix: string, count: number): Promise<void> {
  for (let index = 0; index < count; index++) {
    const name = `${prefix}-${index}`;
    await cluster.api.create({ type: nodeType, namespace: '', name }, newNode({ name }));
  }
}

const recordOf = (name: string) =>
  until(`${name} has a record`, 40_000, async () => {
    const found = await cluster.api.get({ type: nodeLifecycleType, namespace: '', name });
    return found.kind === 'ok' ? true : undefined;
  });

async function lease() {
  const found = await cluster.api.get({
    type: leaseType,
    namespace: systemNamespace,
    name: leaderLeaseName,
  });
  return found.kind === 'ok' ? fieldsOf(found.value.spec) : {};
}

const alone = { leaderElection: { enabled: false } };

describe('the config file of the operator', { timeout: 90_000 }, () => {
  it('is refused with exit code 2 when it has a key that does not exist', async () => {
    const operator = startWith({ ...alone, verification: { maxRetires: 3 } });
    expect(await operator.exited).toBe(2);
    expect(operator.lines).toEqual([]);
  });

  it('says what is logged', async () => {
    await joinNodes('quiet', 1);
    const operator = startWith({ ...alone, log: { level: 'error' } });
    await recordOf('quiet-0');
    expect(operator.lines).toEqual([]);
    await operator.stop();
  });

  it('says how it is logged', async () => {
    await joinNodes('plain', 1);
    const operator = startWith({ ...alone, log: { format: 'text' } });
    await recordOf('plain-0');
    const lines = operator.lines.map(({ msg, level }) => ({ msg, level }));
    expect(new Set(lines.map(({ level }) => level))).toEqual(new Set(['unparsed']));
    expect(lines.map(({ msg }) => msg).join('\n')).toMatch(/^\S+ +info +starting/im);
    await operator.stop();
  });

  it('says how many writes there are per second', async () => {
    await joinNodes('slow', 12);
    const operator = startWith({ ...alone, kubeApi: { qps: 4, burst: 2 } });
    const writes = () => operator.lines.filter(({ msg }) => msg === 'write');
    await until('twelve writes are made', 40_000, () => writes().length >= 12 || undefined);
    const times = writes().map(({ time }) => Date.parse(String(time)));
    // Two at once and then four per second; without the bucket all of them take some milliseconds.
    expect((times[11] ?? 0) - (times[0] ?? 0)).toBeGreaterThan(2_200);
    await operator.stop();
  });

  it('says how long the Lease lasts, how often it is renewed, and when its holder ends', async () => {
    const operator = startWith({
      leaderElection: { leaseDuration: '6s', renewDeadline: '3s', retryPeriod: '300ms' },
    });
    await operator.waitForLine('this replica leads', 40_000);
    expect(await lease()).toMatchObject({ leaseDurationSeconds: 6 });
    const renewals = new Set<string>();
    const first = Date.now();
    await until('it is renewed some times', 20_000, async () => {
      renewals.add(textOf((await lease())['renewTime']));
      return renewals.size > 6 || undefined;
    });
    // Six renewals of the usual Lease take twelve seconds.
    expect(Date.now() - first).toBeLessThan(8_000);
    const cutAt = Date.now();
    await cluster.close();
    expect(await operator.exited).toBe(1);
    expect(Date.now() - cutAt).toBeLessThan(8_000);
    expect(operator.lines).toContainEqual(
      expect.objectContaining({ msg: 'the lease is lost', reason: 'RenewDeadlineExceeded' }),
    );
  });
});
