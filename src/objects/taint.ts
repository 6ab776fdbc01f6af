// Taint algebra. A taint is identified by key and effect: the same key may stand with several effects, each its own.

export const taintEffects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'] as const;

export type Taint = {
  readonly key: string;
  readonly value: string;
  /** One of taintEffects, or one that a newer API server knows: kept as it is, so that a patch never loses it. */
  readonly effect: string;
  /** Set by the server for NoExecute; carried along untouched. */
  readonly timeAdded?: string;
};

/** `key:effect`, the identity of a taint. */
export type TaintId = string;

export function taintId(taint: { readonly key: string; readonly effect: string }): TaintId {
  return `${taint.key}:${taint.effect}`;
}

export function parseTaintId(id: TaintId): { readonly key: string; readonly effect: string } {
  const colon = id.lastIndexOf(':');
  return { key: id.slice(0, Math.max(colon, 0)), effect: id.slice(colon + 1) };
}

export function findTaint(taints: readonly Taint[], id: TaintId): Taint | undefined {
  return taints.find((taint) => isOfId(taint, id));
}

/** As its id would be, without writing it down: each visit of a node asks this for each of its taints and rules. */
function isOfId({ key, effect }: Taint, id: TaintId): boolean {
  const isAsLong = id.length === key.length + 1 + effect.length && id[key.length] === ':';
  return isAsLong && id.startsWith(key) && id.endsWith(effect);
}

/** The list with this taint in it: in place when it was there, and since then, else last. Others and their order stay. */
export function withTaint(taints: readonly Taint[], taint: Taint): readonly Taint[] {
  const id = taintId(taint);
  const index = taints.findIndex((other) => isOfId(other, id));
  if (index < 0) return [...taints, taint];
  const before = taints[index];
  return before?.value === taint.value ? taints : taints.with(index, { ...before, ...taint });
}

export function withoutTaint(taints: readonly Taint[], id: TaintId): readonly Taint[] {
  return taints.some((taint) => isOfId(taint, id)) ? taints.filter((taint) => !isOfId(taint, id)) : taints;
}

/** Whether ordinary new pods stay away: PreferNoSchedule is advice, not a gate. */
export function keepsPodsAway(taint: Taint): boolean {
  return taint.effect !== 'PreferNoSchedule';
}

export function formatTaint(taint: Taint): string {
  return taint.value === '' ? taintId(taint) : `${taint.key}=${taint.value}:${taint.effect}`;
}
