// Nodes for tests: ready and ordinary; a test names only what differs.

import { noSharing } from '../../src/base/intern.ts';
import { type NodeView, projectNode } from '../../src/objects/node.ts';
import type { RawObject } from '../../src/objects/raw.ts';

export type NodeSketch = {
  readonly name?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly taints?: readonly { readonly key: string; readonly effect: string; readonly value?: string }[];
  readonly ready?: 'True' | 'False' | 'Unknown';
  readonly readySince?: string;
  readonly bootID?: string;
  readonly isCordoned?: boolean;
  /** Beside Ready: the status of each by its type, since the beginning of 2026 unless it says otherwise. */
  readonly conditions?: Readonly<Record<string, string | ConditionSketch>>;
  readonly createdAt?: string;
};

export type ConditionSketch = {
  readonly status: string;
  readonly since?: string;
  readonly heartbeat?: string;
};

/** Without identity: for an API server to give it one. */
export function newNode(sketch: NodeSketch = {}): RawObject {
  const {
    name = 'a',
    labels = {},
    annotations = {},
    taints = [],
    ready = 'True',
    bootID = 'boot-1',
  } = sketch;
  return {
    metadata: {
      name,
      labels,
      annotations,
      ...(sketch.createdAt ? { creationTimestamp: sketch.createdAt } : {}),
    },
    spec: { taints, ...(sketch.isCordoned ? { unschedulable: true } : {}) },
    status: {
      conditions: [
        {
          type: 'Ready',
          status: ready,
          reason: 'Kubelet',
          message: '',
          ...(sketch.readySince ? { lastTransitionTime: sketch.readySince } : {}),
        },
        ...Object.entries(sketch.conditions ?? {}).map(conditionOf),
      ],
      nodeInfo: { bootID, kubeletVersion: 'v1.36.3' },
    },
  };
}

export function rawNode(sketch: NodeSketch = {}): RawObject {
  const { uid = 'uid-1', resourceVersion = '10' } = sketch;
  const node = newNode(sketch);
  return { ...node, metadata: { ...node.metadata, uid, resourceVersion } };
}

export function nodeView(sketch: NodeSketch = {}): NodeView {
  return viewOfNode(rawNode(sketch));
}

/** As the centre sees it, with every annotation. */
export function viewOfNode(raw: RawObject): NodeView {
  return projectNode(raw, { intern: noSharing, keepsAnnotation: () => true });
}

function conditionOf([type, sketch]: [string, string | ConditionSketch]) {
  const {
    status,
    since = '2026-01-01T00:00:00Z',
    heartbeat = since,
  } = typeof sketch === 'string' ? { status: sketch } : sketch;
  return {
    type,
    status,
    reason: 'Said',
    message: '',
    lastTransitionTime: since,
    lastHeartbeatTime: heartbeat,
  };
}
