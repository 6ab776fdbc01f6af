// Reads one text out of a JSON answer whose shape is not known: a missing step is named instead of becoming undefined.

export function textAt(value: unknown, ...steps: readonly string[]): string {
  let current = value;
  for (const step of steps) {
    current = typeof current === 'object' && current !== null ? Reflect.get(current, step) : undefined;
  }
  if (typeof current === 'string') return current;
  throw new Error(`no text at ${steps.join('.')} in ${JSON.stringify(value)}`);
}
