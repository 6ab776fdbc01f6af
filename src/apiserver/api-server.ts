// One embedded API server: the store, the kinds, the verbs and the controllers that belong to them. An instance holds all
// of its state, so that many can live in one process; time and chance come from outside.

import type { Clock } from '../base/clock.ts';
import type { Random } from '../base/random.ts';
import type { RawObject } from '../objects/raw.ts';
import { startDefinitionLifecycle } from './definition-lifecycle.ts';
import { GarbageCollector } from './gc.ts';
import { startNamespaceLifecycle } from './namespace-lifecycle.ts';
import { PodLogs } from './pod-logs.ts';
import { namespaceType } from './registry/kinds/namespace.ts';
import { Registry } from './registry/registry.ts';
import { Resources } from './resources/resources.ts';
import type { SchemaCompiler } from './schema-port.ts';
import { ObjectStore, type StoreSnapshot } from './store/object-store.ts';
import { Watches } from './store/watches.ts';

export type ApiServerOptions = {
  readonly clock: Clock;
  readonly random: Random;
  readonly schemas: SchemaCompiler;
  /** How many changes a watch can look back; an older start is answered with 410. */
  readonly historySize?: number;
  readonly snapshot?: StoreSnapshot;
};

export type ApiServer = {
  readonly clock: Clock;
  readonly store: ObjectStore;
  readonly watches: Watches;
  readonly registry: Registry;
  readonly resources: Resources;
  /** Where the logs of pods come from. */
  readonly podLogs: PodLogs;
  /** Ends the controllers; the objects stay readable. */
  stop(): void;
};

/** Enough for several minutes of a fleet's heartbeats. */
const HISTORY_DEFAULT = 10_000;

/** Namespaces that are there from the start. */
const initialNamespaces: readonly string[] = ['default', 'kube-node-lease', 'kube-public', 'kube-system'];

export function createApiServer(options: ApiServerOptions): ApiServer {
  const { clock, random } = options;
  const store = new ObjectStore({ historySize: options.historySize ?? HISTORY_DEFAULT });
  const registry = new Registry(options.schemas);
  const watches = new Watches(store, clock);
  const resources = new Resources({ store, watches, registry, clock, random });
  if (options.snapshot !== undefined) store.restore(options.snapshot, keyIn);
  const parts = { store, registry, resources, clock };
  const stops = [startDefinitionLifecycle(parts), startNamespaceLifecycle(parts)];
  const collector = new GarbageCollector(parts);
  if (options.snapshot === undefined) makeNamespaces({ registry, resources });
  return {
    clock,
    store,
    watches,
    registry,
    resources,
    podLogs: new PodLogs(),
    stop() {
      for (const stop of stops) stop();
      collector.stop();
    },
  };
}

function keyIn(_bucket: string, { metadata }: RawObject): string {
  const { namespace = '', name = '' } = metadata ?? {};
  return namespace === '' ? name : `${namespace}/${name}`;
}

function makeNamespaces({ registry, resources }: Pick<ApiServer, 'registry' | 'resources'>): void {
  const definition = registry.find(namespaceType);
  if (definition === undefined) return;
  for (const name of initialNamespaces) {
    const options = { isDryRun: false, fieldValidation: 'Ignore' } as const;
    resources.create({ definition, namespace: '', name: '' }, { body: { metadata: { name } }, options });
  }
}
