// Pods: what the server fills in, what may change later, and how people see them.

import { systemTaintKeys } from '../../../api/keys.ts';
import { canonical } from '../../../base/hash.ts';
import { isRecord, type RawObject, recordsIn, textOf } from '../../../objects/raw.ts';
import { podType } from '../../../objects/ref.ts';
import { duplicate, type FieldError, forbidden, invalid, required } from '../../field-error.ts';
import { withMetadata } from '../../store/stored-object.ts';
import { ageColumn, column, nameColumn, wide } from '../column.ts';
import { builtin, namespacedLabels, partOf } from '../definition.ts';
import { podFields } from '../shapes/pod.ts';

const spec = (object: RawObject) => partOf(object, 'spec');
const status = (object: RawObject) => partOf(object, 'status');

export const pod = builtin({
  type: podType,
  fields: podFields,
  shortNames: ['po'],
  categories: ['all'],
  subresources: ['status', 'binding', 'eviction', 'log'],
  unservedParts: ['attach', 'ephemeralcontainers', 'exec', 'portforward', 'proxy', 'resize'],
  countsGeneration: true,
  answersWithDeleted: true,
  fieldLabels: {
    ...namespacedLabels,
    'spec.nodeName': (object) => textOf(spec(object)['nodeName']),
    'spec.restartPolicy': (object) => textOf(spec(object)['restartPolicy']),
    'spec.schedulerName': (object) => textOf(spec(object)['schedulerName']),
    'spec.serviceAccountName': (object) => textOf(spec(object)['serviceAccountName']),
    'spec.hostNetwork': (object) => String(spec(object)['hostNetwork'] === true),
    'status.phase': (object) => textOf(status(object)['phase']),
    'status.podIP': (object) => textOf(status(object)['podIP']),
    'status.nominatedNodeName': (object) => textOf(status(object)['nominatedNodeName']),
  },
  columns: [
    nameColumn,
    column('Ready', readyCount),
    column('Status', podStatus),
    column('Restarts', restarts),
    ageColumn,
    wide('IP', (object) => textOf(status(object)['podIP']) || '<none>'),
    wide('Node', (object) => textOf(spec(object)['nodeName']) || '<none>'),
    wide('Nominated Node', (object) => textOf(status(object)['nominatedNodeName']) || '<none>'),
    wide('Readiness Gates', () => '<none>'),
  ],
  defaults: (object) => ({
    ...object,
    spec: withPodDefaults(spec(object)),
    status: withAddresses(status(object)),
  }),
  prepareCreate: (object) => ({
    ...object,
    spec: withAdmitted(spec(object)),
    status: { phase: 'Pending', qosClass: qosOf(object) },
  }),
  prepareUpdate: (object) => ({ ...object, spec: { ...spec(object), ...withPatience(spec(object)) } }),
  prepareStatus: (object, old) => ({
    ...withMetadata(object, { ownerReferences: old.metadata?.ownerReferences }),
    status: { ...qosIn(status(old)), ...status(object) },
  }),
  validate: (object, old) => [...containerErrors(object), ...(old === null ? [] : changeErrors(object, old))],
});

type Spec = Readonly<Record<string, unknown>>;

/** What every reader of a pod spec counts on, be it of a pod or of a template. */
export function withPodDefaults(given: Spec): Spec {
  const serviceAccount = textOf(given['serviceAccountName']) || textOf(given['serviceAccount']);
  return {
    restartPolicy: 'Always',
    terminationGracePeriodSeconds: 30,
    dnsPolicy: 'ClusterFirst',
    securityContext: {},
    schedulerName: 'default-scheduler',
    ...given,
    ...(serviceAccount === '' ? {} : { serviceAccountName: serviceAccount, serviceAccount }),
    ...withContainers(given, 'initContainers'),
    ...withContainers(given, 'containers'),
  };
}

function withContainers(given: Spec, field: string): Spec {
  const containers = given[field];
  if (!Array.isArray(containers)) return {};
  return { [field]: recordsIn(containers).map(withContainerDefaults) };
}

function withContainerDefaults(container: Spec): Spec {
  const image = textOf(container['image']);
  const isLatest = !/[:@]/.test(image.split('/').at(-1) ?? '') || image.endsWith(':latest');
  const ports = recordsIn(container['ports']).map((port) => ({ protocol: 'TCP', ...port }));
  return {
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
    imagePullPolicy: isLatest ? 'Always' : 'IfNotPresent',
    ...container,
    ...(ports.length > 0 ? { ports } : {}),
  };
}

/** The one address and the list of all are two words for the same. */
function withAddresses(given: Spec): Spec {
  const [own, all] = [textOf(given['podIP']), recordsIn(given['podIPs'])];
  const first = textOf(all[0]?.['ip']);
  if (own === '' && first === '') return given;
  if (own === '') return { ...given, podIP: first };
  return own === first ? given : { ...given, podIPs: [{ ip: own }] };
}

/** A kubelet need not repeat what was decided at birth. */
function qosIn({ qosClass }: Spec): Spec {
  return qosClass === undefined ? {} : { qosClass };
}

/** What admission adds to a new pod: the account, five minutes of patience with a failing node, the lowest priority. */
function withAdmitted(given: Spec): Spec {
  const account = textOf(given['serviceAccountName']) || 'default';
  return {
    priority: 0,
    enableServiceLinks: true,
    preemptionPolicy: 'PreemptLowerPriority',
    ...given,
    serviceAccountName: account,
    serviceAccount: account,
    ...withPatience(given),
  };
}

function withPatience(given: Spec): Spec {
  const tolerations = recordsIn(given['tolerations']);
  const patience = [systemTaintKeys.notReady, systemTaintKeys.unreachable]
    .filter((key) => !tolerations.some((toleration) => toleratesLoss(toleration, key)))
    .map((key) => ({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 }));
  return { tolerations: [...tolerations, ...patience] };
}

function toleratesLoss({ key, effect }: Spec, wanted: string): boolean {
  const isKey = key === wanted || key === undefined || key === '';
  return isKey && (effect === 'NoExecute' || effect === undefined || effect === '');
}

function qosOf(object: RawObject): string {
  const containers = ['containers', 'initContainers'].flatMap((field) => recordsIn(spec(object)[field]));
  const asked = containers.map((container) => ({
    limits: partOf(container, 'resources', 'limits'),
    requests: partOf(container, 'resources', 'requests'),
  }));
  if (asked.every(({ limits, requests }) => isEmpty(limits) && isEmpty(requests))) return 'BestEffort';
  const isGuaranteed = asked.every(({ limits, requests }) =>
    ['cpu', 'memory'].every(
      (name) => limits[name] !== undefined && (requests[name] ?? limits[name]) === limits[name],
    ),
  );
  return isGuaranteed ? 'Guaranteed' : 'Burstable';
}

function isEmpty(record: Spec): boolean {
  return record['cpu'] === undefined && record['memory'] === undefined;
}

function containerErrors(object: RawObject): readonly FieldError[] {
  const containers = recordsIn(spec(object)['containers']);
  if (containers.length === 0) return [required('spec.containers')];
  const seen = new Set<string>();
  return containers.flatMap(({ name, image }, index) => {
    const path = `spec.containers[${index}]`;
    const errors: FieldError[] = [];
    if (textOf(name) === '') errors.push(required(`${path}.name`));
    else if (seen.has(textOf(name))) errors.push(duplicate(`${path}.name`, name));
    if (textOf(image) === '') errors.push(required(`${path}.image`));
    seen.add(textOf(name));
    return errors;
  });
}

const CHANGEABLE =
  'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)';

function changeErrors(object: RawObject, old: RawObject): readonly FieldError[] {
  const isSame = canonical(fixedPart(spec(object))) === canonical(fixedPart(spec(old)));
  return [
    ...deadlineErrors(spec(object)['activeDeadlineSeconds'], spec(old)['activeDeadlineSeconds']),
    ...tolerationErrors(object, old),
    ...(isSame ? [] : [forbidden('spec', CHANGEABLE)]),
  ];
}

/** A deadline may come closer. */
function deadlineErrors(now: unknown, before: unknown): readonly FieldError[] {
  const path = 'spec.activeDeadlineSeconds';
  if (before !== undefined && now === undefined)
    return [invalid(path, null, 'must not update from a positive integer to nil value')];
  if (typeof now !== 'number') return [];
  if (now < 1 || now > INT_MAX) return [invalid(path, now, `must be between 1 and ${INT_MAX}, inclusive`)];
  return typeof before === 'number' && now > before
    ? [invalid(path, now, 'must be less than or equal to previous value')]
    : [];
}

const INT_MAX = 2 ** 31 - 1;

function tolerationErrors(object: RawObject, old: RawObject): readonly FieldError[] {
  const timeless = ({ tolerationSeconds: _, ...toleration }: Spec) => canonical(toleration);
  const kept = new Set(recordsIn(spec(object)['tolerations']).map(timeless));
  const isShrunk = recordsIn(spec(old)['tolerations']).some((toleration) => !kept.has(timeless(toleration)));
  const why = 'existing toleration can not be modified except its tolerationSeconds';
  return isShrunk ? [forbidden('spec.tolerations', why)] : [];
}

function fixedPart(given: Spec): unknown {
  const { activeDeadlineSeconds: _, tolerations: __, ...fixed } = given;
  const withoutImage = (container: Spec) => ({ ...container, image: '' });
  return {
    ...fixed,
    containers: recordsIn(given['containers']).map(withoutImage),
    initContainers: recordsIn(given['initContainers']).map(withoutImage),
  };
}

function readyCount(object: RawObject): string {
  const statuses = recordsIn(status(object)['containerStatuses']);
  const ready = statuses.filter((each) => each['ready'] === true).length;
  return `${ready}/${recordsIn(spec(object)['containers']).length}`;
}

function restarts(object: RawObject): string {
  const counts = recordsIn(status(object)['containerStatuses']).map(({ restartCount }) =>
    Number(restartCount ?? 0),
  );
  return String(counts.reduce((sum, each) => sum + each, 0));
}

function podStatus(object: RawObject): string {
  if (object.metadata?.deletionTimestamp !== undefined) return 'Terminating';
  const reasons = recordsIn(status(object)['containerStatuses']).flatMap(({ state }) => {
    const { waiting, terminated } = isRecord(state) ? state : {};
    return [waiting, terminated].flatMap((each) => (isRecord(each) ? textOf(each['reason']) : []));
  });
  return (
    reasons.find((reason) => reason !== '') ??
    (textOf(status(object)['reason']) || textOf(status(object)['phase']))
  );
}
