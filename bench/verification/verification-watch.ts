// What the bench itself sees of joining nodes and of workers, by a watch of its own: when a node came, when it was verified
// and free of its taint, and how many workers there were at once.

import { performance } from 'node:perf_hooks';
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

type JoiningNode = ObjectView & { readonly isVerified: boolean };
type Worker = ObjectView & { readonly isOver: boolean };

const nodes: WatchSpec<JoiningNode> = {
  selection: { type: nodeType, unread: ['managedFields', 'images'] },
  presence: 'required',
  project: (raw) => ({ ...viewOf(raw), isVerified: isVerified(raw) }),
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

function isVerified(raw: RawObject): boolean {
  const isGated = recordsIn(fieldsOf(raw.spec)['taints']).some(({ key }) => key === verificationKeys.taint);
  return (
    raw.metadata?.labels?.[verificationKeys.verifiedLabel] === verificationDefaults.labelValue && !isGated
  );
}

/** One Node object from its birth on: a name that comes back is another one. */
type Life = { readonly name: string; readonly joinedAtMs: number; verifiedAtMs: number | null };

export class VerificationWatch extends ClusterWatch {
  readonly #lives = new Map<string, Life>();
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
    return typeof this.#lives.get(this.uidOf(name))?.verifiedAtMs === 'number';
  }

  /** How long each node took from its birth until it was verified, of all that were. */
  latenciesMs(): readonly number[] {
    return [...this.#lives.values()].flatMap(({ joinedAtMs, verifiedAtMs }) =>
      verifiedAtMs === null ? [] : [verifiedAtMs - joinedAtMs],
    );
  }

  #noteNode({ name, uid, isVerified }: JoiningNode): void {
    const nowMs = performance.now();
    const life = this.#lives.get(uid) ?? { name, joinedAtMs: nowMs, verifiedAtMs: null };
    this.#lives.set(uid, life);
    if (isVerified) life.verifiedAtMs ??= nowMs;
  }

  #countWorkers(): void {
    let running = 0;
    for (const { isOver } of this.sources.of(workers).values()) if (!isOver) running += 1;
    this.#workersMax = Math.max(this.#workersMax, running);
  }
}
