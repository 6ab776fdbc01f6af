// The resources that one server serves: the built-in kinds and what CustomResourceDefinitions add. One registry per server.

import type { RawObject } from '../../objects/raw.ts';
import type { ResourceType } from '../../objects/ref.ts';
import type { SchemaCompiler } from '../schema-port.ts';
import { byMaturity, customResources } from './custom-resource.ts';
import type { ResourceDefinition } from './definition.ts';
import { customResourceDefinition } from './kinds/custom-resource-definition.ts';
import { coreEvent, event } from './kinds/event.ts';
import { configMap, namespace, secret, serviceAccount } from './kinds/namespace.ts';
import { csiNode, lease, node } from './kinds/node.ts';
import { pod } from './kinds/pod.ts';
import { daemonSet, endpointSlice, podDisruptionBudget, service } from './kinds/workload.ts';

export type ResourceName = Pick<ResourceType, 'group' | 'version' | 'plural'>;

export class Registry {
  readonly #builtin: readonly ResourceDefinition[];
  readonly #custom = new Map<string, readonly ResourceDefinition[]>();
  readonly #compiler: SchemaCompiler;
  #byName: ReadonlyMap<string, ResourceDefinition> = new Map();

  constructor(compiler: SchemaCompiler) {
    this.#compiler = compiler;
    this.#builtin = [
      configMap,
      coreEvent,
      namespace,
      node,
      pod,
      secret,
      serviceAccount,
      service,
      daemonSet,
      lease,
      endpointSlice,
      event,
      podDisruptionBudget,
      csiNode,
      customResourceDefinition(compiler),
    ];
    this.#index();
  }

  find(name: ResourceName): ResourceDefinition | undefined {
    return this.#byName.get(nameOf(name));
  }

  all(): Iterable<ResourceDefinition> {
    return this.#byName.values();
  }

  /** Serves the kinds of a definition, or serves them as it says now. */
  serve(crd: RawObject): void {
    this.#custom.set(crd.metadata?.name ?? '', customResources(crd, this.#compiler));
    this.#index();
  }

  withdraw(definitionName: string): void {
    this.#custom.delete(definitionName);
    this.#index();
  }

  /** The versions of a group, the preferred one first. */
  versionsOf(group: string): readonly string[] {
    const versions = [...this.all()]
      .filter(({ type }) => type.group === group)
      .map(({ type }) => type.version);
    return [...new Set(versions)].sort(byMaturity);
  }

  groups(): readonly string[] {
    return [...new Set([...this.all()].map(({ type }) => type.group))];
  }

  /** Any definition of the bucket: where the version does not matter. */
  ofBucket(bucket: string): ResourceDefinition | undefined {
    return [...this.all()].find((definition) => definition.bucket === bucket);
  }

  ofKind(apiVersion: string, kind: string): ResourceDefinition | undefined {
    const group = apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';
    return [...this.all()].find(({ type }) => type.group === group && type.kind === kind);
  }

  #index(): void {
    const all = [...this.#builtin, ...[...this.#custom.values()].flat()];
    this.#byName = new Map(all.map((definition) => [nameOf(definition.type), definition]));
  }
}

function nameOf({ group, version, plural }: ResourceName): string {
  return `${group}/${version}/${plural}`;
}
