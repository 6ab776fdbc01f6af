// Admission policies that change a Node at its birth, for clusters of 1.36 and newer. They only ever add our taint and take away
// our label; whatever goes wrong in them, the node joins.

import { controlPlaneRole, labelKeys, verificationKeys } from '../../src/api/keys.ts';
import { verificationDefaults } from '../../src/api/verification-vocabulary.ts';

const { bornUnverified, verifiedLabel } = verificationKeys;
const { taintValue, taintEffect } = verificationDefaults;
const taint = { key: verificationKeys.taint, value: taintValue, effect: taintEffect };

/** Each policy is followed by what puts it into force. */
export function admissionManifests(): readonly object[] {
  return [
    ...policy('muster-born-unverified', {
      objectSelector: { matchLabels: { [bornUnverified]: 'true' } },
      mutation: taintUnlessThere,
    }),
    ...policy('muster-not-born-verified', {
      objectSelector: { matchExpressions: [{ key: verifiedLabel, operator: 'Exists' }] },
      mutation: withoutVerifiedLabel,
    }),
  ];
}

type Policy = { readonly objectSelector: object; readonly mutation: string };

function policy(name: string, { objectSelector, mutation }: Policy): readonly object[] {
  const metadata = { name, labels: { [labelKeys.appName]: 'muster' } };
  const apiVersion = 'admissionregistration.k8s.io/v1';
  return [
    {
      apiVersion,
      kind: 'MutatingAdmissionPolicy',
      metadata,
      spec: {
        failurePolicy: 'Ignore',
        // The list of taints may be replaced by whoever comes later; asked again, both expressions change nothing twice.
        reinvocationPolicy: 'IfNeeded',
        matchConstraints: {
          resourceRules: [
            { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['nodes'] },
          ],
          objectSelector,
        },
        matchConditions: [{ name: 'not-a-control-plane-node', expression: notControlPlane }],
        mutations: [{ patchType: 'JSONPatch', jsonPatch: { expression: mutation } }],
      },
    },
    { apiVersion, kind: 'MutatingAdmissionPolicyBinding', metadata, spec: { policyName: name } },
  ];
}

/** A kubelet may not give its own node the label of the role, so at its birth only the taint may tell. */
const notControlPlane = `
!(has(object.metadata.labels) && ${quote(controlPlaneRole)} in object.metadata.labels)
&& !(has(object.spec.taints) && object.spec.taints.exists(t, t.key == ${quote(controlPlaneRole)}))
`.trim();

/**
 * Taints are one atomic list, absent where there is none. The API server asks again after it has added a taint of its own, and
 * refuses a node that has one taint twice: hence the look before the leap.
 */
const taintUnlessThere = `
!has(object.spec.taints)
? [JSONPatch{op: "add", path: "/spec/taints", value: [
    ${fields(taint)}
  ]}]
: object.spec.taints.exists(t, t.key == ${quote(taint.key)} && t.effect == ${quote(taint.effect)})
? []
: [JSONPatch{op: "add", path: "/spec/taints/-", value:
    ${fields(taint)}
  }]
`.trim();

const withoutVerifiedLabel = `
has(object.metadata.labels) && ${quote(verifiedLabel)} in object.metadata.labels
? [JSONPatch{op: "remove", path: "/metadata/labels/" + jsonpatch.escapeKey(${quote(verifiedLabel)})}]
: []
`.trim();

function fields(value: Readonly<Record<string, string>>): string {
  const entries = Object.entries(value).map(([name, text]) => `${quote(name)}: ${quote(text)}`);
  return `{${entries.join(', ')}}`;
}

function quote(text: string): string {
  return JSON.stringify(text);
}
