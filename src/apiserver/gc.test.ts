import { describe, expect, it } from 'vitest';
import { startEmbeddedServer } from '../../test/support/embedded-server.ts';

const maps = '/api/v1/namespaces/default/configmaps';

function scene() {
  const embedded = startEmbeddedServer();
  const { call } = embedded;
  const create = (name: string, owners: readonly string[] = [], more: object = {}): string =>
    call('POST', maps, {
      metadata: {
        name,
        ownerReferences: owners.map((owner) => ({
          apiVersion: 'v1',
          kind: 'ConfigMap',
          name: owner,
          uid: call('GET', `${maps}/${owner}`).body.metadata?.uid ?? 'gone',
          blockOwnerDeletion: true,
        })),
        ...more,
      },
    }).body.metadata.uid;
  const isThere = (name: string) => call('GET', `${maps}/${name}`).code === 200;
  return { ...embedded, create, isThere };
}

describe('the garbage collector', () => {
  it('takes dependents after their owner, and theirs', async () => {
    const { call, create, isThere, settle } = scene();
    create('owner');
    create('child', ['owner']);
    create('grandchild', ['child']);
    call('DELETE', `${maps}/owner`);
    expect(isThere('child')).toBe(true);
    await settle();
    expect(['owner', 'child', 'grandchild'].filter(isThere)).toEqual([]);
  });

  it('keeps what has another owner, without the one that is gone', async () => {
    const { call, create, settle } = scene();
    for (const name of ['one', 'two']) create(name);
    create('child', ['one', 'two']);
    call('DELETE', `${maps}/one`);
    await settle();
    const owners: { name: string }[] = call('GET', `${maps}/child`).body.metadata.ownerReferences;
    expect(owners.map(({ name }) => name)).toEqual(['two']);
  });

  it('takes what is born with an owner that was never there', async () => {
    const { create, isThere, settle } = scene();
    create('orphan', ['nobody']);
    await settle();
    expect(isThere('orphan')).toBe(false);
  });

  it('in the foreground lets the owner go last', async () => {
    const { call, create, isThere, settle } = scene();
    create('owner');
    create('child', ['owner'], { finalizers: ['muster.dev/hold'] });
    expect(call('DELETE', `${maps}/owner?propagationPolicy=Foreground`).body.metadata.finalizers).toEqual([
      'foregroundDeletion',
    ]);
    await settle();
    expect(['owner', 'child'].filter(isThere)).toEqual(['owner', 'child']);
    call('PATCH', `${maps}/child`, { metadata: { finalizers: null } });
    await settle();
    expect(['owner', 'child'].filter(isThere)).toEqual([]);
  });

  it('leaves dependents without an owner when asked to', async () => {
    const { call, create, isThere, settle } = scene();
    create('owner');
    create('child', ['owner']);
    call('DELETE', `${maps}/owner?propagationPolicy=Orphan`);
    await settle();
    expect(isThere('owner')).toBe(false);
    expect(call('GET', `${maps}/child`).body.metadata).not.toHaveProperty('ownerReferences');
  });
});
