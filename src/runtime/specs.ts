// The two kinds that every operator watches: nodes and their records.

import { keptAnnotationPrefixes, nodeLifecycleType } from '../api/keys.ts';
import { type LifecycleView, projectLifecycle } from '../fleet/lifecycle.ts';
import { type NodeView, projectNode } from '../objects/node.ts';
import { nodeType } from '../objects/ref.ts';
import type { WatchSpec } from './ports.ts';

const keepsAnnotation = (key: string) => keptAnnotationPrefixes.some((prefix) => key.startsWith(prefix));

export const nodeSpec: WatchSpec<NodeView> = {
  // Two thirds of a Node's bytes.
  selection: { type: nodeType, unread: ['managedFields', 'images'] },
  presence: 'required',
  isEchoed: true,
  project: (raw, intern) => projectNode(raw, { intern, keepsAnnotation }),
};

export const lifecycleSpec: WatchSpec<LifecycleView> = {
  selection: { type: nodeLifecycleType, unread: ['managedFields'] },
  presence: 'required',
  isEchoed: true,
  project: projectLifecycle,
};
