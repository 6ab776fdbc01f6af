// How the pod of a worker is named in a write, and taken away, whichever worker it is.

import { isTrue } from '../../objects/condition.ts';
import type { NodeView } from '../../objects/node.ts';
import { podType } from '../../objects/ref.ts';
import type { ObjectWrite, Target } from '../../runtime/capability.ts';
import type { WorkerView } from './worker-view.ts';

export type Removal = {
  readonly namespace: string;
  /** The one that it runs on; undefined when that is gone. */
  readonly node: NodeView | undefined;
  readonly cause: string;
};

/** Where its kubelet does not answer nobody will end it, and its object would stay. */
export function deletionOf(worker: WorkerView, { namespace, node, cause }: Removal): ObjectWrite {
  const isLost = node === undefined || !isTrue(node.conditions, 'Ready');
  return {
    kind: 'DeleteObject',
    target: targetOf(worker, namespace),
    cause,
    ...(isLost ? { graceSeconds: 0 } : {}),
  };
}

export function targetOf({ name, uid, resourceVersion }: WorkerView, namespace: string): Target {
  return { ref: { type: podType, namespace, name }, uid, resourceVersion };
}
