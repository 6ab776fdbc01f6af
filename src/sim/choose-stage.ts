// Which stage comes next for a subject: pure, given what is known of it and one draw.

import type { Random } from '../base/random.ts';
import { isRecord, ownValue, type RawObject } from '../objects/raw.ts';
import { matches } from '../objects/selector.ts';
import type { Delay, NodeStage, PodStage, StageMatch } from './stage.ts';

export type Subject = {
  readonly phase: string;
  /** Null for a node that is not registered: it has no labels yet, so only stages without a selector apply. */
  readonly object: RawObject | null;
  readonly isRunnable: boolean;
};

/** The stage that follows by itself, or null when nothing does. */
export function nextStage<S extends NodeStage | PodStage>(
  stages: readonly S[],
  subject: Subject,
  random: Random,
): S | null {
  const fitting = stages.filter((stage) => stage.trigger.kind === 'delay' && applies(stage, subject));
  const highest = Math.max(...fitting.map(({ priority }) => priority));
  return drawn(
    fitting.filter(({ priority }) => priority === highest),
    random,
  );
}

export function applies(stage: NodeStage | PodStage, { phase, object, isRunnable }: Subject): boolean {
  const isFrom = stage.from.some((each) => each === phase);
  const { match } = stage;
  return isFrom && (match.isRunnable ?? isRunnable) === isRunnable && fits(match, object ?? {});
}

export function drawMs({ forMs, jitterMs }: Delay, random: Random): number {
  return forMs + jitterMs * random.next();
}

function fits({ labels, annotations, fields }: StageMatch, object: RawObject): boolean {
  const { metadata = {} } = object;
  return (
    matches(labels, metadata.labels ?? {}) &&
    Object.entries(annotations).every(([key, wanted]) => {
      const value = ownValue(metadata.annotations ?? {}, key);
      return value !== undefined && (wanted === '*' || wanted === value);
    }) &&
    Object.entries(fields).every(([path, wanted]) => fieldText(object, path) === wanted)
  );
}

function fieldText(object: RawObject, path: string): string {
  let value: unknown = object;
  for (const name of path.split('.')) value = isRecord(value) ? ownValue(value, name) : undefined;
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

function drawn<S extends { readonly weight: number }>(stages: readonly S[], random: Random): S | null {
  const total = stages.reduce((sum, { weight }) => sum + weight, 0);
  // One draw for a single stage too would make every delay depend on how many alternatives others have.
  let rest = stages.length > 1 ? random.next() * total : 0;
  for (const stage of stages) {
    rest -= stage.weight;
    if (rest < 0) return stage;
  }
  return stages.at(-1) ?? null;
}
