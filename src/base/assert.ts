// Broken invariants end here. Never for untrusted input: that is parsed into a value or a list of problems.

export class BrokenInvariant extends Error {
  override readonly name = 'BrokenInvariant';
}

export function assert(condition: boolean, invariant: string): asserts condition {
  if (!condition) throw new BrokenInvariant(invariant);
}

/** The end of an exhaustive switch: the compiler proves that it is never reached. */
export function unreachable(value: never): never {
  throw new BrokenInvariant(`unexpected value ${JSON.stringify(value)}`);
}
