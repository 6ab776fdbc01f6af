// What kube-apiserver 1.36 serves and this server does not. A request for it is refused in so many words: an answer of "not
// found" would say that the cluster has none.

import { notImplemented, unknownPath } from '../refusal.ts';
import { answerRefusal } from './answer.ts';
import { type HttpAnswer, plain } from './exchange.ts';
import type { ResourcePath } from './route.ts';

/** By group and version; the core group has no name. */
const resources: Readonly<Record<string, readonly string[]>> = {
  '/v1': [
    'bindings',
    'componentstatuses',
    'endpoints',
    'limitranges',
    'persistentvolumeclaims',
    'persistentvolumes',
    'podtemplates',
    'replicationcontrollers',
    'resourcequotas',
  ],
  'admissionregistration.k8s.io/v1': [
    'mutatingadmissionpolicies',
    'mutatingadmissionpolicybindings',
    'mutatingwebhookconfigurations',
    'validatingadmissionpolicies',
    'validatingadmissionpolicybindings',
    'validatingwebhookconfigurations',
  ],
  'apiregistration.k8s.io/v1': ['apiservices'],
  'apps/v1': ['controllerrevisions', 'deployments', 'replicasets', 'statefulsets'],
  'authentication.k8s.io/v1': ['selfsubjectreviews', 'tokenreviews'],
  'authorization.k8s.io/v1': [
    'localsubjectaccessreviews',
    'selfsubjectaccessreviews',
    'selfsubjectrulesreviews',
    'subjectaccessreviews',
  ],
  'autoscaling/v1': ['horizontalpodautoscalers'],
  'autoscaling/v2': ['horizontalpodautoscalers'],
  'batch/v1': ['cronjobs', 'jobs'],
  'certificates.k8s.io/v1': ['certificatesigningrequests'],
  'flowcontrol.apiserver.k8s.io/v1': ['flowschemas', 'prioritylevelconfigurations'],
  'networking.k8s.io/v1': ['ingressclasses', 'ingresses', 'ipaddresses', 'networkpolicies', 'servicecidrs'],
  'node.k8s.io/v1': ['runtimeclasses'],
  'rbac.authorization.k8s.io/v1': ['clusterrolebindings', 'clusterroles', 'rolebindings', 'roles'],
  'resource.k8s.io/v1': ['deviceclasses', 'resourceclaims', 'resourceclaimtemplates', 'resourceslices'],
  'scheduling.k8s.io/v1': ['priorityclasses'],
  'storage.k8s.io/v1': [
    'csidrivers',
    'csistoragecapacities',
    'storageclasses',
    'volumeattachments',
    'volumeattributesclasses',
  ],
};

/** Groups of which everything is served that they have in a real cluster. */
const wholeGroups = [
  'apiextensions.k8s.io',
  'coordination.k8s.io',
  'discovery.k8s.io',
  'events.k8s.io',
  'policy',
];

const groups: ReadonlySet<string> = new Set([
  ...Object.keys(resources).map((name) => name.slice(0, name.indexOf('/'))),
  ...wholeGroups,
]);

/** For a resource that is not served. */
export function answerUnserved({ group, version, plural }: ResourcePath): HttpAnswer {
  const isReal = resources[`${group}/${version}`]?.includes(plural) === true;
  return isReal ? answerRefusal(notImplemented(named({ group, version, plural }))) : answerUnknown(group);
}

/** For a group or version of which nothing is served. */
export function answerUnservedGroup(group: string, version = ''): HttpAnswer {
  const isReal = Object.keys(resources).some((name) => name.startsWith(`${group}/${version}`));
  if (!isReal || group === '') return answerUnknown(group);
  return answerRefusal(notImplemented(version === '' ? group : `${group}/${version}`));
}

/** The groups that the server itself has are answered for by it; nobody answers for the others. */
export function answerUnknown(group: string | null): HttpAnswer {
  return group !== null && groups.has(group)
    ? answerRefusal(unknownPath())
    : plain(404, '404 page not found\n');
}

function named({ group, version, plural }: Pick<ResourcePath, 'group' | 'version' | 'plural'>): string {
  return group === '' ? `${plural} of ${version}` : `${plural} of ${group}/${version}`;
}
