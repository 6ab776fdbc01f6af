// Waits for the end of a command that runs until it is told to stop.

/** Why it ends: a signal, the time that was asked for, or nobody reads any more what it says. */
export type Stop = 'signal' | 'duration' | 'unread';

export function untilStopped(durationMs: number | null): Promise<Stop> {
  const { promise, resolve } = Promise.withResolvers<Stop>();
  // Heard for as long as the process lives: npm passes a Ctrl-C on that the terminal has sent already, and a second signal that
  // nobody hears would end the process in the middle of its end.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => resolve('signal'));
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => resolve('unread'));
  if (durationMs !== null) setTimeout(() => resolve('duration'), durationMs);
  return promise;
}
