// What the bench itself sees of nodes and of workers, by a watch of its own: when a node was born, when it was verified and free
// of its taint, and how many workers there were at once.

import { parseTime } from '../../src/base/timestamp.ts';
import { systemNamespace, verificationKeys, workerLabels, workerLabelValues } from '../../src/api/keys.ts';
import { verificationDefaults } from '../../src/api/verification-vocabulary.ts';
import {
  fieldsOf,
  type ObjectView,
  type RawObject,
  recordsIn,
  textOf,
  viewOf,
} from '../../src/objects/raw.ts';
import { nodeType, podType } from '../../src/objects/ref.ts';
import type { KubeApi, WatchSpec } from '../../src/runtime/ports.ts';
import { ClusterWatch } from '../cluster/cluster-watch.ts';

type VerifiedNode = ObjectView & { readonly bornAtMs: number; readonly isVerified: boolean };
type Worker = ObjectView & { readonly isOver: boolean };

/** Only those that have the label: whoever looks at every change of every node takes its share of two busy cores. */
const nodes: WatchSpec<VerifiedNode> = {
  selection: {
    type: nodeType,
    labelSelector: `${verificationKeys.verifiedLabel}=${verificationDefaults.labelValue}`,
    unread: ['managedFields', 'images'],
  },
  presence: 'required',
  project: (raw) => ({
    ...viewOf(raw),
    // In whole seconds: a node may seem to have taken up to a second longer than it did.
    bornAtMs: parseTime(raw.metadata?.creationTimestamp) ?? Number.NaN,
    isVerified: !isGated(raw),
  }),
};

const workers: WatchSpec<Worker> = {
  selection: {
    type: podType,
    namespace: systemNamespace,
    labelSelector: `${workerLabels.component}=${workerLabelValues.component}`,
    unread: ['managedFields'],
  },
  presence: 'required',
  project: (raw) => ({
    ...viewOf(raw),
    isOver: ['Succeeded', 'Failed'].includes(textOf(fieldsOf(raw.status)['phase'])),
  }),
};

function isGated(raw: RawObject): boolean {
  return recordsIn(fieldsOf(raw.spec)['taints']).some(({ key }) => key === verificationKeys.taint);
}

export class VerificationWatch extends ClusterWatch {
  /** By UID: a name that comes back is another node. */
  readonly #latenciesMs = new Map<string, number>();
  #workersMax = 0;

  constructor(api: KubeApi) {
    super(api, [nodes, workers]);
    this.sources.subscribe(nodes, (change) => {
      if (change.kind !== 'deleted') this.#noteNode(change.now);
    });
    this.sources.subscribe(workers, () => this.#countWorkers());
  }

  /** The most workers at once, as far as this watch has seen. */
  workersMax(): number {
    return this.#workersMax;
  }

  workersLeft(): number {
    return this.sources.of(workers).size;
  }

  names(): readonly string[] {
    return [...this.sources.of(nodes).keys()];
  }

  uidOf(name: string): string {
    return this.sources.of(nodes).get(name)?.uid ?? '';
  }

  isVerified(name: string): boolean {
    return this.#latenciesMs.has(this.uidOf(name));
  }

  /** How long each node took from its birth until it was verified, of all that were. */
  latenciesMs(): readonly number[] {
    return [...this.#latenciesMs.values()];
  }

  #noteNode({ uid, bornAtMs, isVerified }: VerifiedNode): void {
    if (isVerified && !this.#latenciesMs.has(uid)) this.#latenciesMs.set(uid, Date.now() - bornAtMs);
  }

  #countWorkers(): void {
    let running = 0;
    for (const { isOver } of this.sources.of(workers).values()) if (!isOver) running += 1;
    this.#workersMax = Math.max(this.#workersMax, running);
  }
}
