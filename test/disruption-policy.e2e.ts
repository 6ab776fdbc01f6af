// The policy against a real API server: its defaults, and each refusal in the words that a person gets to read.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { disruptionPolicyType } from '../src/api/keys.ts';
import { headOf, type InstalledCluster, root, startInstalledCluster } from './support/installed-cluster.ts';

let cluster: InstalledCluster;

beforeAll(async () => {
  cluster = await startInstalledCluster();
});

afterAll(() => cluster?.stop());

describe('a DisruptionPolicy', () => {
  it('is filled with its defaults', async () => {
    await cluster.apply(policy({}));
    expect(JSON.parse(await cluster.kubectl(['get', 'dp', 'default', '-o', 'jsonpath={.spec}']))).toEqual({
      authority: 'gate',
      gating: { percent: 25, nodes: 10 },
      noExecute: { percent: 10, nodes: 1 },
      deletion: {
        enabled: false,
        perPool: { nodes: 1, period: '10m' },
        perCluster: { nodes: 3, period: '1h' },
        percentPerDay: 10,
      },
      drain: { enabled: false },
      budgets: {
        pool: { percent: 10, nodes: 5 },
        zone: { percent: 10, nodes: 5 },
        cluster: { percent: 10, nodes: 5 },
      },
    });
  });

  it('exists once', async () => {
    const refused = cluster.apply({ ...policy({}), metadata: { name: 'second' } });
    await expect(refused).rejects.toThrow('a cluster has one DisruptionPolicy, and its name is default');
  });

  const nights = { name: 'nights', schedule: '0 22 * * 1-5', duration: '6h' };

  it.each<[string, object, string]>([
    ['an authority that does not exist', { authority: 'all' }, 'spec.authority: Unsupported value: "all"'],
    ['more than 100 percent', { gating: { percent: 101 } }, 'should be less than or equal to 100'],
    [
      'deletion of nodes that did not opt in',
      { deletion: { enabled: true } },
      'enabled needs a nodeSelector: nodes opt in to deletion by label',
    ],
    [
      'an empty selector',
      { deletion: { enabled: true, nodeSelector: {} } },
      'spec.deletion.nodeSelector: Invalid value',
    ],
    [
      'a selector with an endless key',
      { deletion: { nodeSelector: { ['k'.repeat(318)]: 'a' } } },
      'a key is too long',
    ],
    [
      'a taint key that is none',
      { noExecute: { allowedTaintKeys: ['not a key'] } },
      'spec.noExecute.allowedTaintKeys[0]: Invalid value',
    ],
    ['a taint key twice', { noExecute: { allowedTaintKeys: ['a', 'a'] } }, 'Duplicate value: "a"'],
    [
      'a window without length',
      { windows: [{ ...nights, duration: '0s' }] },
      'must be more than 0s and at most 168h',
    ],
    [
      'a window without an hour',
      { windows: [{ ...nights, schedule: 'at night' }] },
      'spec.windows[0].schedule: Invalid value',
    ],
    [
      'a period in words',
      { deletion: { perPool: { period: 'ten minutes' } } },
      'must be whole hours, minutes and seconds, the larger first, such as 90s, 10m or 1h30m',
    ],
    [
      'two pauses by one person',
      { pauseRequests: [pause('ann'), pause('ann')] },
      'Duplicate value: {"by":"ann"}',
    ],
    [
      'a pause without a reason',
      { pauseRequests: [{ by: 'ann' }] },
      'spec.pauseRequests[0].reason: Required value',
    ],
  ])('refuses %s', async (_, spec, words) => {
    await expect(cluster.apply(policy(spec), '--dry-run=server')).rejects.toThrow(words);
  });

  it('accepts the example of the reference', async () => {
    const page = await readFile(join(root, 'docs/reference/disruption-policy.md'), 'utf8');
    const [, example = ''] = /```yaml\n([^]*?)```/.exec(page) ?? [];
    await cluster.kubectl(['apply', '-f', '-'], { input: example });
    expect(await cluster.kubectl(['get', 'dp'])).toMatch(
      /^NAME +AUTHORITY +DELETION +DRAIN +PAUSED BY +AGE\ndefault +act +true +false +\d+/,
    );
  });

  it('can be taken back to observing in one step, whatever else it allows', async () => {
    await cluster.patch('dp/default', { spec: { authority: 'observe' } });
    expect(await cluster.kubectl(['get', 'dp', 'default', '-o', 'jsonpath={.spec.deletion.enabled}'])).toBe(
      'true',
    );
  });

  it('never lets the epoch of its ledger go back', async () => {
    await cluster.patch('dp/default', { status: { epoch: 7 } }, '--subresource=status');
    const refused = cluster.patch('dp/default', { status: { epoch: 6 } }, '--subresource=status');
    await expect(refused).rejects.toThrow('never goes back');
  });
});

function policy(spec: object) {
  return { ...headOf(disruptionPolicyType, 'default'), spec };
}

function pause(by: string) {
  return { by, reason: 'a change freeze' };
}
