// DaemonSets, PodDisruptionBudgets, Services and EndpointSlices: defaults, status at birth, columns. No controller
// stands behind them here; whoever plays one writes their status.

import { hashFields } from '../../../base/hash.ts';
import { isRecord, type RawObject, recordsIn, textOf } from '../../../objects/raw.ts';
import { type FieldError, forbidden, invalid, notSupported, required } from '../../field-error.ts';
import { ageColumn, column, count, nameColumn, wide } from '../column.ts';
import { builtin, namespacedLabels, partOf, type Surroundings } from '../definition.ts';
import { dnsOldLabel } from '../names.ts';
import { endpointSliceFields, serviceFields } from '../shapes/network.ts';
import { daemonSetFields, podDisruptionBudgetFields } from '../shapes/pod.ts';
import { withPodDefaults } from './pod.ts';

const spec = (object: RawObject) => partOf(object, 'spec');
const status = (object: RawObject) => partOf(object, 'status');
const containersOf = (object: RawObject) =>
  recordsIn(partOf(object, 'spec', 'template', 'spec')['containers']);
const joined = (record: unknown) =>
  (isRecord(record)
    ? Object.entries(record)
        .map(([key, value]) => `${key}=${textOf(value)}`)
        .join(',')
    : '') || '<none>';

export const daemonSet = builtin({
  type: { group: 'apps', version: 'v1', plural: 'daemonsets', kind: 'DaemonSet', scope: 'Namespaced' },
  fields: daemonSetFields,
  shortNames: ['ds'],
  categories: ['all'],
  subresources: ['status'],
  countsGeneration: true,
  columns: [
    nameColumn,
    count('Desired', (object) => status(object)['desiredNumberScheduled'] ?? 0),
    count('Current', (object) => status(object)['currentNumberScheduled'] ?? 0),
    count('Ready', (object) => status(object)['numberReady'] ?? 0),
    count('Up-to-date', (object) => status(object)['updatedNumberScheduled'] ?? 0),
    count('Available', (object) => status(object)['numberAvailable'] ?? 0),
    column('Node Selector', (object) => joined(partOf(object, 'spec', 'template', 'spec')['nodeSelector'])),
    ageColumn,
    wide('Containers', (object) =>
      containersOf(object)
        .map(({ name }) => textOf(name))
        .join(','),
    ),
    wide('Images', (object) =>
      containersOf(object)
        .map(({ image }) => textOf(image))
        .join(','),
    ),
    wide('Selector', (object) => joined(partOf(object, 'spec', 'selector')['matchLabels'])),
  ],
  defaults: withDaemonDefaults,
  prepareCreate: (object) => ({
    ...object,
    metadata: {
      ...object.metadata,
      annotations: { ...object.metadata?.annotations, 'deprecated.daemonset.template.generation': '1' },
    },
    status: { currentNumberScheduled: 0, numberMisscheduled: 0, desiredNumberScheduled: 0, numberReady: 0 },
  }),
  validate: daemonErrors,
});

export const podDisruptionBudget = builtin({
  type: {
    group: 'policy',
    version: 'v1',
    plural: 'poddisruptionbudgets',
    kind: 'PodDisruptionBudget',
    scope: 'Namespaced',
  },
  fields: podDisruptionBudgetFields,
  allowsPlainFinalizers: true,
  shortNames: ['pdb'],
  subresources: ['status'],
  countsGeneration: true,
  allowsUnguardedUpdate: false,
  columns: [
    nameColumn,
    column('Min Available', (object) => amountText(spec(object)['minAvailable'])),
    column('Max Unavailable', (object) => amountText(spec(object)['maxUnavailable'])),
    count('Allowed Disruptions', (object) => status(object)['disruptionsAllowed'] ?? 0),
    ageColumn,
  ],
  prepareCreate: (object) => ({
    ...object,
    status: { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 },
  }),
  validate: budgetErrors,
});

export const service = builtin({
  type: { group: '', version: 'v1', plural: 'services', kind: 'Service', scope: 'Namespaced' },
  fields: serviceFields,
  shortNames: ['svc'],
  categories: ['all'],
  subresources: ['status'],
  unservedParts: ['proxy'],
  nameRule: dnsOldLabel,
  answersWithDeleted: true,
  fieldLabels: {
    ...namespacedLabels,
    'spec.clusterIP': (object) => textOf(spec(object)['clusterIP']),
    'spec.type': (object) => textOf(spec(object)['type']),
  },
  columns: [
    nameColumn,
    column('Type', (object) => textOf(spec(object)['type'])),
    column('Cluster-IP', (object) => textOf(spec(object)['clusterIP']) || '<none>'),
    column('External-IP', () => '<none>'),
    column('Port(s)', portsText),
    ageColumn,
    wide('Selector', (object) => joined(spec(object)['selector'])),
  ],
  defaults: withServiceDefaults,
  prepareCreate: (object, around) => ({
    ...withClusterAddress(object, around),
    status: { loadBalancer: {} },
  }),
  prepareUpdate: (object, old) => ({
    ...object,
    spec: { ...addressOf(old), ...spec(object) },
  }),
  validate: serviceErrors,
});

export const endpointSlice = builtin({
  type: {
    group: 'discovery.k8s.io',
    version: 'v1',
    plural: 'endpointslices',
    kind: 'EndpointSlice',
    scope: 'Namespaced',
  },
  fields: endpointSliceFields,
  countsGeneration: true,
  columns: [
    nameColumn,
    column('AddressType', (object) => textOf(object['addressType'])),
    column(
      'Ports',
      (object) =>
        recordsIn(object['ports'])
          .map(({ port }) => String(port))
          .join(',') || '<unset>',
    ),
    column('Endpoints', (object) => addressesText(object) || '<unset>'),
    ageColumn,
  ],
  defaults: (object) => ({
    ...object,
    ports: Array.isArray(object['ports'])
      ? recordsIn(object['ports']).map((port) => ({ name: '', protocol: 'TCP', ...port }))
      : null,
  }),
  validate: (object, old) => [
    ...(['IPv4', 'IPv6', 'FQDN'].includes(textOf(object['addressType']))
      ? []
      : [notSupported('addressType', object['addressType'], ['IPv4', 'IPv6', 'FQDN'])]),
    ...(old !== null && old['addressType'] !== object['addressType']
      ? [invalid('addressType', object['addressType'], 'field is immutable')]
      : []),
  ],
});

function withDaemonDefaults(object: RawObject): RawObject {
  const template = partOf(object, 'spec', 'template');
  return {
    ...object,
    spec: {
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1, maxSurge: 0 } },
      revisionHistoryLimit: 10,
      ...spec(object),
      template: { ...template, spec: withPodDefaults(partOf(template, 'spec')) },
    },
  };
}

function daemonErrors(object: RawObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const wanted = Object.entries(partOf(object, 'spec', 'selector', 'matchLabels'));
  const labels = partOf(object, 'spec', 'template', 'metadata', 'labels');
  if (spec(object)['selector'] === undefined) errors.push(required('spec.selector'));
  else if (wanted.some(([key, value]) => labels[key] !== value))
    errors.push(
      invalid('spec.template.metadata.labels', labels, '`selector` does not match template `labels`'),
    );
  if (containersOf(object).length === 0) errors.push(required('spec.template.spec.containers'));
  return errors;
}

function amountText(amount: unknown): string {
  return typeof amount === 'number' || typeof amount === 'string' ? String(amount) : 'N/A';
}

function budgetErrors(object: RawObject): readonly FieldError[] {
  const { minAvailable, maxUnavailable } = spec(object);
  const both = minAvailable !== undefined && maxUnavailable !== undefined;
  return both ? [forbidden('spec', 'minAvailable and maxUnavailable cannot be both set')] : [];
}

function withServiceDefaults(object: RawObject): RawObject {
  const ports = recordsIn(spec(object)['ports']).map((port) => ({
    protocol: 'TCP',
    targetPort: port['port'],
    ...port,
  }));
  return {
    ...object,
    spec: {
      type: 'ClusterIP',
      sessionAffinity: 'None',
      internalTrafficPolicy: 'Cluster',
      ...spec(object),
      ...(ports.length > 0 ? { ports } : {}),
    },
  };
}

const ADDRESSES = 2 ** 16;

/** An address of 10.96.0.0/16 that no other service has, the same for the same name in the same world. */
function withClusterAddress(object: RawObject, around: Surroundings): RawObject {
  const { clusterIP, type } = spec(object);
  if (type === 'ExternalName') return object;
  const taken = new Set(around.objects('services').map((other) => textOf(spec(other)['clusterIP'])));
  const { namespace = '', name = '' } = object.metadata ?? {};
  let number = Number.parseInt(hashFields([namespace, name]).slice(-4), 16);
  const address = () => `10.96.${number >> 8}.${number & 255}`;
  while (taken.has(address()) || number < 2) number = (number + 1) % ADDRESSES;
  const chosen = textOf(clusterIP) || address();
  return {
    ...object,
    spec: {
      ipFamilies: ['IPv4'],
      ipFamilyPolicy: 'SingleStack',
      ...spec(object),
      clusterIP: chosen,
      clusterIPs: [chosen],
    },
  };
}

function addressOf(old: RawObject): Readonly<Record<string, unknown>> {
  const kept = ['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy'];
  return Object.fromEntries(Object.entries(spec(old)).filter(([field]) => kept.includes(field)));
}

function serviceErrors(object: RawObject, old: RawObject | null): readonly FieldError[] {
  const { type, ports, clusterIP } = spec(object);
  const isBare = type === 'ExternalName' || clusterIP === 'None';
  const errors: FieldError[] = !isBare && recordsIn(ports).length === 0 ? [required('spec.ports')] : [];
  const before = old === null ? clusterIP : spec(old)['clusterIP'];
  if (type !== 'ExternalName' && before !== clusterIP)
    errors.push(invalid('spec.clusterIPs[0]', clusterIP, 'may not change once set'));
  return errors;
}

function portsText(object: RawObject): string {
  return (
    recordsIn(spec(object)['ports'])
      .map(({ port, protocol }) => `${String(port)}/${textOf(protocol)}`)
      .join(',') || '<none>'
  );
}

function addressesText(object: RawObject): string {
  const addresses = recordsIn(object['endpoints']).flatMap(({ addresses: each }) =>
    Array.isArray(each) ? each.map(textOf) : [],
  );
  const shown = addresses.slice(0, 3).join(',');
  return addresses.length > 3 ? `${shown} + ${addresses.length - 3} more...` : shown;
}
