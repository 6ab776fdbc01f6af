// One thing that can happen to a node or a pod of the simulated world, as data: to whom, when, and what it does.
// The files under stages/ are read into this; nothing here does anything.

import type { Selector } from '../objects/selector.ts';

/** Where a simulated node stands. Absent: not registered yet. Removed: its Node object was deleted. */
export const nodePhases = ['Absent', 'Starting', 'Ready', 'Rebooting', 'Silent', 'Removed'] as const;
export type NodePhase = (typeof nodePhases)[number];

/** Where a simulated pod stands. Process: a real process runs for it, and ends it. */
export const podPhases = ['Bound', 'Waiting', 'BackOff', 'Running', 'Hung', 'Process', 'Ended'] as const;
export type PodPhase = (typeof podPhases)[number];

/** From `forMs` to `forMs + jitterMs`. */
export type Delay = { readonly forMs: number; readonly jitterMs: number };

export type Trigger =
  /** So long after the subject entered the phase. */
  | { readonly kind: 'delay'; readonly delay: Delay }
  /** Again and again, each time to one subject of all that match. */
  | { readonly kind: 'pick'; readonly every: Delay }
  /** When a person asks for it by annotation. */
  | { readonly kind: 'byHand' };

export type StageMatch = {
  readonly labels: Selector;
  /** Exact values; `*` for any. */
  readonly annotations: Readonly<Record<string, string>>;
  /** Exact values by dotted path, such as `spec.restartPolicy`. */
  readonly fields: Readonly<Record<string, string>>;
  /** Of a pod: whether all of its images can be run here as processes. Null where it does not matter. */
  readonly isRunnable: boolean | null;
};

type StageCore<Phase> = {
  readonly name: string;
  readonly about: string;
  readonly from: readonly Phase[];
  readonly match: StageMatch;
  readonly trigger: Trigger;
  /** The highest of those that apply wins; among equals one is drawn by weight. */
  readonly priority: number;
  readonly weight: number;
};

export type StageCondition = {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason: string;
  readonly message: string;
};

export type NodeEffect = {
  readonly phase: NodePhase;
  readonly object: 'create' | 'delete' | null;
  /** start: heartbeats begin. stop: they end without a word. reboot: they begin with a new boot ID. */
  readonly kubelet: 'start' | 'stop' | 'reboot' | null;
  readonly conditions: readonly StageCondition[];
};

export type PodExit = { readonly code: number; readonly reason: string; readonly message: string };

export type PodEffect = {
  readonly phase: PodPhase;
  readonly start: 'script' | 'process' | null;
  readonly waiting: { readonly reason: string; readonly message: string } | null;
  readonly exit: PodExit | null;
  readonly evict: { readonly message: string } | null;
};

export type NodeStage = StageCore<NodePhase> & { readonly of: 'Node'; readonly effect: NodeEffect };
export type PodStage = StageCore<PodPhase> & { readonly of: 'Pod'; readonly effect: PodEffect };
export type Stage = NodeStage | PodStage;
