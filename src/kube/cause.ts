// What was thrown, as one line of text for a log.

export function textOfCause(cause: unknown): string {
  return cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
}
