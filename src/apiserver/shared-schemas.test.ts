import { describe, expect, it } from 'vitest';
import { openSchemas } from '../../test/support/open-schemas.ts';
import { startEmbeddedServer } from '../../test/support/embedded-server.ts';
import { crdManifest } from '../api/crd.ts';
import { nodeLifecycleKind } from '../api/node-lifecycle.ts';
import { shareSchemas } from './shared-schemas.ts';

function scene() {
  const asked = { compiled: 0, checked: 0 };
  const shared = shareSchemas({
    compileSchema(schema) {
      asked.compiled++;
      return openSchemas.compileSchema(schema);
    },
    checkDefinition() {
      asked.checked++;
      return [{ path: '', reason: 'FieldValueInvalid', message: `finding ${asked.checked}` }];
    },
  });
  return { shared, asked };
}

describe('shared schemas', () => {
  it('are compiled once for equal texts', () => {
    const { shared, asked } = scene();
    const first = shared.compileSchema({ type: 'object' });
    expect(shared.compileSchema({ type: 'object' })).toBe(first);
    expect(shared.compileSchema({ type: 'string' })).not.toBe(first);
    expect(asked.compiled).toBe(2);
  });

  it('tell the same of a definition whatever its uid and its status are', () => {
    const { shared } = scene();
    const definition = (uid: string, group: string) => ({
      metadata: { name: 'a', uid },
      spec: { group },
      status: { of: uid },
    });
    const findings = shared.checkDefinition(definition('1', 'a.b'));
    expect(shared.checkDefinition(definition('2', 'a.b'))).toBe(findings);
    expect(shared.checkDefinition(definition('1', 'c.d'))).not.toEqual(findings);
  });

  it('forget what was not asked for longest', () => {
    const { shared, asked } = scene();
    for (let index = 0; index < 300; index += 1) {
      shared.compileSchema({ title: 'kept' });
      shared.compileSchema({ title: index });
    }
    expect(asked.compiled).toBe(301);
    shared.compileSchema({ title: 0 });
    expect(asked.compiled).toBe(302);
  });

  it('are compiled once for all servers that are handed them', () => {
    let compiled = 0;
    const schemas = shareSchemas({
      ...openSchemas,
      compileSchema(schema) {
        compiled++;
        return openSchemas.compileSchema(schema);
      },
    });
    for (const { call } of [startEmbeddedServer({ schemas }), startEmbeddedServer({ schemas })]) {
      const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
      expect(call('POST', path, crdManifest(nodeLifecycleKind)).code).toBe(201);
      expect(call('GET', '/apis/muster.dev/v1alpha1/nodelifecycles').code).toBe(200);
    }
    expect(compiled).toBe(1);
  });
});
