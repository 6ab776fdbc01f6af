// The memory that is really in use. Needs --expose-gc.

/** Several rounds, because one leaves what only weak references and finalizers hold. */
export function heapBytesKept(): number {
  for (let round = 0; round < 4; round += 1) globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

/** The heap, and arrays of numbers beside it. */
export function bytesKept(): number {
  return heapBytesKept() + process.memoryUsage().arrayBuffers;
}
