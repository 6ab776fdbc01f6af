// What names an object: its resource type and its key.

export type ResourceType = {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly kind: string;
  readonly scope: 'Cluster' | 'Namespaced';
};

export type ObjectRef = {
  readonly type: ResourceType;
  /** Empty for cluster-scoped types. */
  readonly namespace: string;
  readonly name: string;
};

export function apiVersionOf(type: ResourceType): string {
  return type.group === '' ? type.version : `${type.group}/${type.version}`;
}

/** `nodes`, `leases.coordination.k8s.io`: how people and RBAC name a type. */
export function resourceName(type: ResourceType): string {
  return type.group === '' ? type.plural : `${type.plural}.${type.group}`;
}

/** The key of an object in caches and queues: `name`, or `namespace/name`. */
export function keyOf(object: { readonly namespace: string; readonly name: string }): string {
  return object.namespace === '' ? object.name : `${object.namespace}/${object.name}`;
}

export function formatRef(ref: ObjectRef): string {
  return `${ref.type.kind} ${keyOf(ref)}`;
}

export const nodeType: ResourceType = {
  group: '',
  version: 'v1',
  plural: 'nodes',
  kind: 'Node',
  scope: 'Cluster',
};

export const podType: ResourceType = {
  group: '',
  version: 'v1',
  plural: 'pods',
  kind: 'Pod',
  scope: 'Namespaced',
};

export const serviceType: ResourceType = {
  group: '',
  version: 'v1',
  plural: 'services',
  kind: 'Service',
  scope: 'Namespaced',
};

export const endpointSliceType: ResourceType = {
  group: 'discovery.k8s.io',
  version: 'v1',
  plural: 'endpointslices',
  kind: 'EndpointSlice',
  scope: 'Namespaced',
};

export const csiNodeType: ResourceType = {
  group: 'storage.k8s.io',
  version: 'v1',
  plural: 'csinodes',
  kind: 'CSINode',
  scope: 'Cluster',
};

export const leaseType: ResourceType = {
  group: 'coordination.k8s.io',
  version: 'v1',
  plural: 'leases',
  kind: 'Lease',
  scope: 'Namespaced',
};

export const eventType: ResourceType = {
  group: 'events.k8s.io',
  version: 'v1',
  plural: 'events',
  kind: 'Event',
  scope: 'Namespaced',
};

export const customResourceDefinitionType: ResourceType = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
  kind: 'CustomResourceDefinition',
  scope: 'Cluster',
};
