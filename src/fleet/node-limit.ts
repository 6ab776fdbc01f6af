// A bound on a number of nodes, as people write it: a number, or a share of those there are.

export type NodeLimit =
  | { readonly kind: 'nodes'; readonly max: number }
  | { readonly kind: 'percent'; readonly max: number };

/** `25%` or `10`; null for anything else. */
export function parseNodeLimit(raw: unknown): NodeLimit | null {
  if (typeof raw === 'number') return Number.isInteger(raw) && raw >= 0 ? { kind: 'nodes', max: raw } : null;
  const [, number, percent] = (typeof raw === 'string' ? /^(\d{1,9})(%?)$/.exec(raw) : null) ?? [];
  if (number === undefined) return null;
  const max = Number(number);
  if (percent === '%') return max <= 100 ? { kind: 'percent', max } : null;
  return { kind: 'nodes', max };
}

/** A share is rounded down: a quarter of three nodes is none. */
export function nodesWithin({ kind, max }: NodeLimit, size: number): number {
  return kind === 'nodes' ? max : Math.floor((size * max) / 100);
}
