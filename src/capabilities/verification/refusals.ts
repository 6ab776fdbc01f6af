// Why the API server refused workers: learned when one is created, read when the node is looked at again. Nothing that must
// survive: a refusal that is forgotten is met again.

export interface Refusals {
  /** Empty when it was not refused. */
  of(workerName: string): string;
  note(workerName: string, message: string): void;
  forget(workerName: string): void;
}

/** More nodes than this are never refused at once without the first ones having ended their attempts. */
const REFUSALS_MAX = 1000;

export function createRefusals(): Refusals {
  const messages = new Map<string, string>();
  return {
    of: (workerName) => messages.get(workerName) ?? '',
    note(workerName, message) {
      messages.set(workerName, message);
      const [oldest] = messages.keys();
      if (messages.size > REFUSALS_MAX && oldest !== undefined) messages.delete(oldest);
    },
    forget: (workerName) => void messages.delete(workerName),
  };
}
