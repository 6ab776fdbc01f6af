// What Muster keeps of a Node: about 2 KB of the 12 KB that the API server sends.

import { asConditionStatus, type Condition } from './condition.ts';
import { isRecord, type ObjectView, type RawObject, recordsIn, textOf, viewOf } from './raw.ts';
import type { Taint } from './taint.ts';

export type NodeView = ObjectView & {
  readonly labels: Readonly<Record<string, string>>;
  /** Only those the reader of this view asked to keep. */
  readonly annotations: Readonly<Record<string, string>>;
  readonly taints: readonly Taint[];
  readonly isUnschedulable: boolean;
  readonly providerID: string;
  /** Without heartbeat times: they change every few minutes and mean nothing to a decision. */
  readonly conditions: readonly Condition[];
  readonly bootID: string;
  readonly kubeletVersion: string;
  readonly creationTimestamp: string;
  /** Empty while the node is not being deleted. */
  readonly deletionTimestamp: string;
};

export type NodeProjection = {
  /** Shares equal strings between nodes. */
  readonly text: (value: string) => string;
  readonly keepsAnnotation: (key: string) => boolean;
};

export function projectNode(raw: RawObject, projection: NodeProjection): NodeView {
  const metadata = raw.metadata ?? {};
  const spec = isRecord(raw.spec) ? raw.spec : {};
  const status = isRecord(raw.status) ? raw.status : {};
  const nodeInfo = isRecord(status['nodeInfo']) ? status['nodeInfo'] : {};
  const { text } = projection;
  return {
    ...viewOf(raw),
    labels: projectMap(metadata.labels, { text, keepsAnnotation: () => true }),
    annotations: projectMap(metadata.annotations, projection),
    taints: recordsIn(spec['taints']).map((taint) => projectTaint(taint, text)),
    isUnschedulable: spec['unschedulable'] === true,
    providerID: textOf(spec['providerID']),
    conditions: recordsIn(status['conditions']).map((condition) => projectCondition(condition, text)),
    bootID: textOf(nodeInfo['bootID']),
    kubeletVersion: text(textOf(nodeInfo['kubeletVersion'])),
    creationTimestamp: textOf(metadata.creationTimestamp),
    deletionTimestamp: textOf(metadata.deletionTimestamp),
  };
}

function projectMap(
  map: Readonly<Record<string, string>> | undefined,
  { text, keepsAnnotation }: NodeProjection,
): Readonly<Record<string, string>> {
  const kept: Record<string, string> = {};
  for (const [key, value] of Object.entries(map ?? {})) {
    if (keepsAnnotation(key)) kept[text(key)] = text(value);
  }
  return kept;
}

function projectTaint(raw: Readonly<Record<string, unknown>>, text: (value: string) => string): Taint {
  const timeAdded = textOf(raw['timeAdded']);
  return {
    key: text(textOf(raw['key'])),
    value: text(textOf(raw['value'])),
    effect: text(textOf(raw['effect'])),
    ...(timeAdded === '' ? {} : { timeAdded }),
  };
}

function projectCondition(
  raw: Readonly<Record<string, unknown>>,
  text: (value: string) => string,
): Condition {
  return {
    type: text(textOf(raw['type'])),
    status: asConditionStatus(raw['status']),
    reason: text(textOf(raw['reason'])),
    message: text(textOf(raw['message'])),
    lastTransitionTime: text(textOf(raw['lastTransitionTime'])),
  };
}
