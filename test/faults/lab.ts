// What all runs share and none changes: the definitions of the kinds, their compiled schemas, and a cluster in which they are
// installed and nothing else is.

import { crdManifest } from '../../src/api/crd.ts';
import { kinds } from '../../src/api/kinds.ts';
import { nodeLifecycleKind } from '../../src/api/node-lifecycle.ts';
import { systemNamespace } from '../../src/api/keys.ts';
import { createApiServer } from '../../src/apiserver/api-server.ts';
import { namespaceType } from '../../src/apiserver/registry/kinds/namespace.ts';
import { checkDefinition } from '../../src/apiserver/schema/check-definition.ts';
import { compileSchema } from '../../src/apiserver/schema/compile-schema.ts';
import type { CompiledSchema, SchemaCompiler } from '../../src/apiserver/schema-port.ts';
import type { StoreSnapshot } from '../../src/apiserver/store/object-store.ts';
import { seededRandom } from '../../src/base/random.ts';
import type { RawObject } from '../../src/objects/raw.ts';
import { customResourceDefinitionType, type ResourceType, resourceName } from '../../src/objects/ref.ts';
import { manualClock } from '../support/manual-clock.ts';
import { stampType } from '../support/stamp-type.ts';
import type { CapabilityName } from './scenario.ts';

export type Lab = {
  readonly schemas: SchemaCompiler;
  readonly snapshots: Readonly<Record<CapabilityName, StoreSnapshot>>;
};

export function createLab(): Lab {
  const schemas = compiledOnce();
  const installed = (definitions: readonly RawObject[]) => clusterWith(schemas, definitions);
  // As the manifests install it.
  const everyKind = installed(kinds.map(crdManifest));
  return {
    schemas,
    snapshots: {
      stamp: installed([crdManifest(nodeLifecycleKind), stampDefinition]),
      readiness: everyKind,
      verification: everyKind,
    },
  };
}

function clusterWith(schemas: SchemaCompiler, definitions: readonly RawObject[]): StoreSnapshot {
  const server = createApiServer({ clock: manualClock(), random: seededRandom(3), schemas });
  const put = (type: ResourceType, body: RawObject) => {
    const definition = server.registry.find(type);
    if (definition === undefined) throw new Error(`${type.kind} is not served`);
    const options = { isDryRun: false, fieldValidation: 'Strict' } as const;
    const made = server.resources.create({ definition, namespace: '', name: '' }, { body, options });
    if (made.kind === 'error') throw new Error(made.error.message);
  };
  for (const definition of definitions) put(customResourceDefinitionType, definition);
  put(namespaceType, { metadata: { name: systemNamespace } });
  return server.store.snapshot();
}

/** Definitions of the snapshot are the same objects in every run: each is compiled the first time. */
function compiledOnce(): SchemaCompiler {
  const compiled = new WeakMap<object, CompiledSchema>();
  return {
    checkDefinition,
    compileSchema(schema) {
      if (typeof schema !== 'object' || schema === null) return compileSchema(schema);
      const known = compiled.get(schema) ?? compileSchema(schema);
      compiled.set(schema, known);
      return known;
    },
  };
}

const anything = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

const stampDefinition: RawObject = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: resourceName(stampType) },
  spec: {
    group: stampType.group,
    names: { kind: stampType.kind, listKind: 'StampList', plural: stampType.plural, singular: 'stamp' },
    scope: stampType.scope,
    versions: [
      {
        name: stampType.version,
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: { type: 'object', properties: { spec: anything, status: anything } },
        },
      },
    ],
  },
};
