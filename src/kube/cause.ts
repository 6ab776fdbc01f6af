// What was thrown by code of ours that should not throw, with the stack: for a log line that leads to the bug.

export function textOfCause(cause: unknown): string {
  return cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
}
