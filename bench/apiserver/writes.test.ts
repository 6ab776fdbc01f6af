import { describe, expect, it } from 'vitest';
import { startEmbeddedServer } from '../../test/support/embedded-server.ts';
import { fill, install, membersOf, nodeName } from './fleet.ts';
import { schemas } from './schemas.ts';
import { mixed, writeKinds, writeOf } from './writes.ts';

const filled = () => {
  const embedded = startEmbeddedServer({ schemas });
  install(embedded.server);
  fill(embedded.server, membersOf(1));
  return embedded;
};

describe('the writes of the load', () => {
  it.each(writeKinds)(
    'of the kind %s are each taken, without a warning, and each change something',
    (kind) => {
      const { call, server } = filled();
      const lease = `/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/${nodeName(0)}`;
      for (const serial of [1, 2, 3]) {
        const { resourceVersion } = call('GET', lease).body.metadata;
        const { method, path, contentType, body } = writeOf(kind, { index: 0, serial, resourceVersion });
        const before = server.store.revision;
        const { code, headers } = call(method, path, body, { 'content-type': contentType });
        expect({ code: code < 300, warning: headers['warning'] }).toEqual({ code: true, warning: undefined });
        expect(server.store.revision).toBe(before + 1);
      }
    },
  );

  it('are mixed without two events in a row, heartbeats most of all', () => {
    expect(mixed).toHaveLength(20);
    expect(mixed.filter((kind) => kind === 'lease')).toHaveLength(8);
    expect(mixed.some((kind, index) => kind === 'event' && mixed[index + 1] === 'event')).toBe(false);
  });
});
