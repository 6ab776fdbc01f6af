// What Muster keeps of a Node: about 2 KB of the 12 KB that the API server sends.

import type { Intern } from '../base/intern.ts';
import { parseTime } from '../base/timestamp.ts';
import { asConditionStatus, type Condition } from './condition.ts';
import { fieldsOf, type ObjectView, type RawObject, recordsIn, textOf, viewOf } from './raw.ts';
import type { Taint } from './taint.ts';

export type NodeView = ObjectView & {
  readonly labels: Readonly<Record<string, string>>;
  /** Only those the reader of this view asked to keep. */
  readonly annotations: Readonly<Record<string, string>>;
  readonly taints: readonly Taint[];
  readonly isUnschedulable: boolean;
  readonly providerID: string;
  readonly conditions: readonly NodeCondition[];
  readonly bootID: string;
  readonly kubeletVersion: string;
  /** Allocatable resources of device plugins, such as accelerators; the usual ones are not kept. */
  readonly extendedResources: Readonly<Record<string, string>>;
  readonly creationTimestamp: string;
  /** Empty while the node is not being deleted. */
  readonly deletionTimestamp: string;
};

export type NodeCondition = Condition & {
  /** When it was last confirmed, in whole seconds since the epoch; 0 when nobody says. As text it would cost a string each. */
  readonly heartbeatAtS: number;
};

export type NodeProjection = {
  readonly intern: Intern;
  readonly keepsAnnotation: (key: string) => boolean;
};

type Text = Intern['text'];

export function projectNode(raw: RawObject, projection: NodeProjection): NodeView {
  const metadata = raw.metadata ?? {};
  const spec = fieldsOf(raw.spec);
  const status = fieldsOf(raw.status);
  const nodeInfo = fieldsOf(status['nodeInfo']);
  const { intern } = projection;
  const text = (value: string) => intern.text(value);
  const view = viewOf(raw);
  return {
    ...view,
    labels: projectLabels(metadata.labels, { name: view.name, text }),
    annotations: projectAnnotations(metadata.annotations, projection),
    taints: projectTaints(spec['taints'], projection),
    isUnschedulable: spec['unschedulable'] === true,
    providerID: textOf(spec['providerID']),
    conditions: projectConditions(recordsIn(status['conditions']), text),
    bootID: textOf(nodeInfo['bootID']),
    kubeletVersion: text(textOf(nodeInfo['kubeletVersion'])),
    extendedResources: projectResources(fieldsOf(status['allocatable']), text),
    creationTimestamp: textOf(metadata.creationTimestamp),
    deletionTimestamp: textOf(metadata.deletionTimestamp),
  };
}

/** A copy made whole and then changed in place: one that grows key by key becomes a hash table of twice the size. */
function projectLabels(
  labels: Readonly<Record<string, string>> | undefined,
  { name, text }: { readonly name: string; readonly text: Text },
): Readonly<Record<string, string>> {
  const shared: Record<string, string> = { ...labels };
  for (const key of Object.keys(shared)) {
    const value = shared[key] ?? '';
    // The label of the host name is the one that no two nodes share.
    shared[key] = value === name ? name : text(value);
  }
  return shared;
}

function projectAnnotations(
  annotations: Readonly<Record<string, string>> | undefined,
  { intern, keepsAnnotation }: NodeProjection,
): Readonly<Record<string, string>> {
  const kept: Record<string, string> = {};
  for (const key of Object.keys(annotations ?? {})) {
    if (keepsAnnotation(key)) kept[key] = intern.text(annotations?.[key] ?? '');
  }
  return kept;
}

const noTaints: readonly Taint[] = [];
const noResources: Readonly<Record<string, string>> = {};

/** Their names have a prefix, which those of Kubernetes itself lack; most nodes have none, and share one empty map. */
function projectResources(
  allocatable: Readonly<Record<string, unknown>>,
  text: Text,
): Readonly<Record<string, string>> {
  const names = Object.keys(allocatable).filter((name) => name.includes('/'));
  if (names.length === 0) return noResources;
  return Object.fromEntries(names.map((name) => [text(name), text(textOf(allocatable[name]))]));
}

/** Nodes that are gated together have the same taints. */
function projectTaints(raw: unknown, { intern }: NodeProjection): readonly Taint[] {
  const taints = recordsIn(raw);
  if (taints.length === 0) return noTaints;
  return intern.parsed(`taints ${JSON.stringify(taints)}`, () =>
    taints.map((taint) => projectTaint(taint, (value) => intern.text(value))),
  );
}

function projectTaint(raw: Readonly<Record<string, unknown>>, text: Text): Taint {
  const timeAdded = textOf(raw['timeAdded']);
  return {
    key: text(textOf(raw['key'])),
    value: text(textOf(raw['value'])),
    effect: text(textOf(raw['effect'])),
    ...(timeAdded === '' ? {} : { timeAdded }),
  };
}

function projectConditions(
  conditions: readonly Readonly<Record<string, unknown>>[],
  text: Text,
): readonly NodeCondition[] {
  let timeBefore = '';
  const heartbeat = createHeartbeatReader();
  return conditions.map((raw) => {
    const time = textOf(raw['lastTransitionTime']);
    // Conditions of one node often changed together, those of different nodes hardly ever.
    if (time !== timeBefore) timeBefore = time;
    return {
      type: text(textOf(raw['type'])),
      status: asConditionStatus(raw['status']),
      reason: text(textOf(raw['reason'])),
      message: text(textOf(raw['message'])),
      lastTransitionTime: timeBefore,
      heartbeatAtS: heartbeat(textOf(raw['lastHeartbeatTime'])),
    };
  });
}

/** A kubelet confirms its conditions together: what was read for the last one is not read again. */
function createHeartbeatReader(): (text: string) => number {
  let textBefore = '';
  let seconds = 0;
  return (text) => {
    if (text === textBefore) return seconds;
    textBefore = text;
    seconds = Math.floor((parseTime(text) ?? 0) / 1000);
    return seconds;
  };
}
