// Why the API server refused something of a worker: learned when it is written, read when the node is looked at again. Nothing
// that must survive: a refusal that is forgotten is met again.

export interface Refusals {
  /** Empty when it was not refused. */
  of(worker: string): string;
  note(worker: string, message: string): void;
  forget(worker: string): void;
}

/** More nodes than this are never refused at once without the first ones having ended their attempts. */
const REFUSALS_MAX = 1000;

export function createRefusals(): Refusals {
  const messages = new Map<string, string>();
  return {
    of: (worker) => messages.get(worker) ?? '',
    note(worker, message) {
      messages.set(worker, message);
      const [oldest] = messages.keys();
      if (messages.size > REFUSALS_MAX && oldest !== undefined) messages.delete(oldest);
    },
    forget: (worker) => void messages.delete(worker),
  };
}
