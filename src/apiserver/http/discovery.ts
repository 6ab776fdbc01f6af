// What the server says it can do: groups, versions and resources, in the old form and in the aggregated one.

import type { ResourceDefinition, Subresource } from '../registry/definition.ts';
import type { Registry } from '../registry/registry.ts';

type Document = Readonly<Record<string, unknown>>;

const VERBS = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];

export function coreVersions(): Document {
  return { kind: 'APIVersions', versions: ['v1'], serverAddressByClientCIDRs: [] };
}

export function groupList(registry: Registry): Document {
  const groups = registry.groups().filter((group) => group !== '');
  return {
    kind: 'APIGroupList',
    apiVersion: 'v1',
    groups: groups.map((group) => groupEntry(registry, group)),
  };
}

/** Null for a group that is not served. */
export function groupOf(registry: Registry, group: string): Document | null {
  if (registry.versionsOf(group).length === 0) return null;
  return { kind: 'APIGroup', apiVersion: 'v1', ...groupEntry(registry, group) };
}

export function resourceList(registry: Registry, group: string, version: string): Document | null {
  const served = definitionsOf(registry, group, version);
  if (served.length === 0) return null;
  return {
    kind: 'APIResourceList',
    ...(group === '' ? {} : { apiVersion: 'v1' }),
    groupVersion: group === '' ? version : `${group}/${version}`,
    resources: served.flatMap((definition) => [
      resourceEntry(definition),
      ...definition.subresources.map((subresource) => partEntry(definition, subresource)),
    ]),
  };
}

/** One document with everything: `core` for /api, `named` for /apis. */
export function aggregated(registry: Registry, share: 'core' | 'named'): Document {
  const groups = registry.groups().filter((group) => (group === '') === (share === 'core'));
  return {
    kind: 'APIGroupDiscoveryList',
    apiVersion: 'apidiscovery.k8s.io/v2',
    metadata: {},
    items: groups.map((group) => ({
      metadata: group === '' ? {} : { name: group },
      versions: registry.versionsOf(group).map((version) => ({
        version,
        resources: definitionsOf(registry, group, version).map(aggregatedEntry),
        freshness: 'Current',
      })),
    })),
  };
}

export const aggregatedMediaType = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

export function rootPaths(registry: Registry): Document {
  const groups = registry.groups().filter((group) => group !== '');
  const paths = groups.flatMap((group) => [
    `/apis/${group}`,
    ...registry.versionsOf(group).map((version) => `/apis/${group}/${version}`),
  ]);
  const others = ['/api', '/api/v1', '/apis', '/healthz', '/livez', '/openapi/v3', '/readyz', '/version'];
  return { paths: [...others, ...paths].sort() };
}

export function definitionsOf(
  registry: Registry,
  group: string,
  version: string,
): readonly ResourceDefinition[] {
  return [...registry.all()]
    .filter(({ type }) => type.group === group && type.version === version)
    .sort((a, b) => (a.type.plural < b.type.plural ? -1 : 1));
}

function groupEntry(registry: Registry, group: string): Document {
  const versions = registry
    .versionsOf(group)
    .map((version) => ({ groupVersion: `${group}/${version}`, version }));
  return { name: group, versions, preferredVersion: versions[0] };
}

function resourceEntry(definition: ResourceDefinition): Document {
  const { type, singular, shortNames, categories } = definition;
  return {
    name: type.plural,
    singularName: singular,
    namespaced: type.scope === 'Namespaced',
    kind: type.kind,
    verbs: verbsOf(definition),
    ...(shortNames.length > 0 ? { shortNames } : {}),
    ...(categories.length > 0 ? { categories } : {}),
  };
}

function verbsOf({ isDeletedSingly }: ResourceDefinition): readonly string[] {
  return isDeletedSingly ? VERBS.filter((verb) => verb !== 'deletecollection') : VERBS;
}

type PartKind = { readonly group?: string; readonly version?: string; readonly kind: string };

const partKinds: Readonly<Record<Exclude<Subresource, 'status' | 'finalize'>, PartKind>> = {
  binding: { kind: 'Binding' },
  eviction: { group: 'policy', version: 'v1', kind: 'Eviction' },
  log: { kind: 'Pod' },
  token: { group: 'authentication.k8s.io', version: 'v1', kind: 'TokenRequest' },
};

function partEntry({ type }: ResourceDefinition, subresource: Subresource): Document {
  return {
    name: `${type.plural}/${subresource}`,
    singularName: '',
    namespaced: type.scope === 'Namespaced',
    ...kindOfPart(type.kind, subresource),
    verbs: verbsOfPart(subresource),
  };
}

function kindOfPart(kind: string, subresource: Subresource): PartKind {
  return subresource === 'status' || subresource === 'finalize' ? { kind } : partKinds[subresource];
}

function verbsOfPart(subresource: Subresource): readonly string[] {
  if (subresource === 'status') return ['get', 'patch', 'update'];
  if (subresource === 'finalize') return ['update'];
  return subresource === 'log' ? ['get'] : ['create'];
}

function aggregatedEntry(definition: ResourceDefinition): Document {
  const { type, singular, shortNames, categories, subresources } = definition;
  const own = { group: type.group, version: type.version, kind: type.kind };
  return {
    resource: type.plural,
    responseKind: own,
    scope: type.scope,
    singularResource: singular,
    verbs: verbsOf(definition),
    ...(shortNames.length > 0 ? { shortNames } : {}),
    ...(categories.length > 0 ? { categories } : {}),
    ...(subresources.length > 0
      ? {
          subresources: subresources.map((subresource) => ({
            subresource,
            responseKind: { ...own, ...kindOfPart(type.kind, subresource) },
            verbs: verbsOfPart(subresource),
          })),
        }
      : {}),
  };
}

export const serverVersion: Document = {
  major: '1',
  minor: '36',
  gitVersion: 'v1.36.3+muster',
  gitCommit: '',
  gitTreeState: '',
  buildDate: '1970-01-01T00:00:00Z',
  goVersion: '',
  compiler: '',
  platform: '',
};
