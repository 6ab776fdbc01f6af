// Waits for the end of a command that runs until it is told to stop.

/** Why it ends: a signal, or the time that was asked for. */
export type Stop = 'signal' | 'duration';

export function untilStopped(durationMs: number | null): Promise<Stop> {
  const { promise, resolve } = Promise.withResolvers<Stop>();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve('signal'));
  if (durationMs !== null) setTimeout(() => resolve('duration'), durationMs);
  return promise;
}
