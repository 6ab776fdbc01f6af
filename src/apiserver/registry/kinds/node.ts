// Nodes, CSINodes and Leases: what the server adds at birth and what it refuses.

import { nodeRolePrefix, systemTaintKeys } from '../../../api/keys.ts';
import { canonical } from '../../../base/hash.ts';
import { type RawObject, recordsIn, textOf } from '../../../objects/raw.ts';
import { leaseType, nodeType } from '../../../objects/ref.ts';
import { duplicate, type FieldError, forbidden, invalid, notSupported, required } from '../../field-error.ts';
import { ageColumn, column, count, nameColumn, wide } from '../column.ts';
import { builtin, clusterLabels, partOf } from '../definition.ts';
import { labelValueProblems, qualifiedNameProblems } from '../names.ts';
import { csiNodeFields, leaseFields, nodeFields } from '../shapes/node.ts';

export const node = builtin({
  type: nodeType,
  fields: nodeFields,
  shortNames: ['no'],
  subresources: ['status'],
  unservedParts: ['proxy'],
  fieldLabels: {
    ...clusterLabels,
    'spec.unschedulable': (object) => String(partOf(object, 'spec')['unschedulable'] === true),
  },
  columns: [
    nameColumn,
    column('Status', nodeStatus),
    column('Roles', (object) => rolesOf(object).join(',') || '<none>'),
    ageColumn,
    column('Version', (object) => nodeFact(object, 'kubeletVersion')),
    wide('Internal-IP', (object) => addressOf(object, 'InternalIP')),
    wide('External-IP', (object) => addressOf(object, 'ExternalIP')),
    wide('OS-Image', (object) => nodeFact(object, 'osImage') || '<unknown>'),
    wide('Kernel-Version', (object) => nodeFact(object, 'kernelVersion') || '<unknown>'),
    wide('Container-Runtime', (object) => nodeFact(object, 'containerRuntimeVersion') || '<unknown>'),
  ],
  defaults: withAllocatable,
  prepareCreate: withNotReadyTaint,
  validate: (object, old) => [
    ...taintErrors(object),
    ...['capacity', 'allocatable'].flatMap((field) => amountErrors(object, field)),
    ...(old === null ? [] : identityErrors(object, old)),
  ],
});

export const csiNode = builtin({
  type: { group: 'storage.k8s.io', version: 'v1', plural: 'csinodes', kind: 'CSINode', scope: 'Cluster' },
  fields: csiNodeFields,
  allowsUnguardedUpdate: false,
  columns: [
    nameColumn,
    count('Drivers', (object) => recordsIn(partOf(object, 'spec')['drivers']).length),
    ageColumn,
  ],
});

export const lease = builtin({
  type: leaseType,
  fields: leaseFields,
  allowsPlainFinalizers: true,
  allowsUnguardedUpdate: false,
  createsOnUpdate: true,
  columns: [
    nameColumn,
    column('Holder', (object) => textOf(partOf(object, 'spec')['holderIdentity'])),
    ageColumn,
  ],
  validate: leaseErrors,
});

/** Until a kubelet says otherwise, a node can use all that it has. */
function withAllocatable(object: RawObject): RawObject {
  const status = partOf(object, 'status');
  if (status['allocatable'] !== undefined || status['capacity'] === undefined) return object;
  return { ...object, status: { ...status, allocatable: status['capacity'] } };
}

function withNotReadyTaint(object: RawObject): RawObject {
  const spec = partOf(object, 'spec');
  const taints = recordsIn(spec['taints']);
  const isThere = taints.some(
    ({ key, effect }) => key === systemTaintKeys.notReady && effect === 'NoSchedule',
  );
  if (isThere) return object;
  return {
    ...object,
    spec: { ...spec, taints: [...taints, { key: systemTaintKeys.notReady, effect: 'NoSchedule' }] },
  };
}

const effects: readonly string[] = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

function taintErrors(object: RawObject): readonly FieldError[] {
  const seen = new Set<string>();
  return recordsIn(partOf(object, 'spec')['taints']).flatMap((taint, index) => {
    const [key, value, effect] = [textOf(taint['key']), textOf(taint['value']), textOf(taint['effect'])];
    const path = `metadata.taints[${index}]`;
    const errors: FieldError[] = [
      ...qualifiedNameProblems(key).map((problem) => invalid(`${path}.key`, key, problem)),
      ...labelValueProblems(value).map((problem) => invalid(`${path}.value`, value, problem)),
    ];
    if (effect === '') errors.push(required(`${path}.effect`));
    else if (!effects.includes(effect)) errors.push(notSupported(`${path}.effect`, effect, effects));
    const id = `${key}:${effect}`;
    const shown = { Key: key, Value: value, Effect: effect, TimeAdded: taint['timeAdded'] ?? null };
    if (seen.has(id)) errors.push(duplicate(path, shown, 'taints must be unique by key and effect pair'));
    seen.add(id);
    return errors;
  });
}

function amountErrors(object: RawObject, field: string): readonly FieldError[] {
  return Object.entries(partOf(object, 'status', field))
    .filter(([, amount]) => textOf(amount).startsWith('-'))
    .map(([name, amount]) =>
      invalid(`status.${field}.${name}`, amount, 'must be greater than or equal to 0'),
    );
}

/** What names a node to the world outside is said once. */
function identityErrors(object: RawObject, old: RawObject): readonly FieldError[] {
  const [now, before] = [partOf(object, 'spec'), partOf(old, 'spec')];
  const errors: FieldError[] = [];
  if (before['podCIDRs'] !== undefined && canonical(now['podCIDRs']) !== canonical(before['podCIDRs']))
    errors.push(forbidden('spec.podCIDRs', 'node updates may not change podCIDR except from "" to valid'));
  if (textOf(before['providerID']) !== '' && now['providerID'] !== before['providerID'])
    errors.push(
      forbidden('spec.providerID', 'node updates may not change providerID except from "" to valid'),
    );
  return errors;
}

function leaseErrors(object: RawObject): readonly FieldError[] {
  const spec = partOf(object, 'spec');
  const [duration, transitions] = [spec['leaseDurationSeconds'], spec['leaseTransitions']];
  const errors: FieldError[] = [];
  if (typeof duration === 'number' && duration <= 0)
    errors.push(invalid('spec.leaseDurationSeconds', duration, 'must be greater than 0'));
  if (typeof transitions === 'number' && transitions < 0)
    errors.push(invalid('spec.leaseTransitions', transitions, 'must be greater than or equal to 0'));
  return errors;
}

function nodeStatus(object: RawObject): string {
  const ready = recordsIn(partOf(object, 'status')['conditions']).find(({ type }) => type === 'Ready');
  const words = ready === undefined ? ['Unknown'] : [ready['status'] === 'True' ? 'Ready' : 'NotReady'];
  if (partOf(object, 'spec')['unschedulable'] === true) words.push('SchedulingDisabled');
  return words.join(',');
}

function rolesOf(object: RawObject): readonly string[] {
  const roles = Object.keys(object.metadata?.labels ?? {})
    .filter((key) => key.startsWith(nodeRolePrefix))
    .map((key) => key.slice(nodeRolePrefix.length));
  return roles.filter((role) => role !== '').sort();
}

function nodeFact(object: RawObject, field: string): string {
  return textOf(partOf(object, 'status', 'nodeInfo')[field]);
}

function addressOf(object: RawObject, wanted: string): string {
  const found = recordsIn(partOf(object, 'status')['addresses']).find(({ type }) => type === wanted);
  return textOf(found?.['address']) || '<none>';
}
