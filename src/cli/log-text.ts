// A JSON line of the log, said for people.

import { fieldsOf } from '../objects/raw.ts';

/** `12:04:05 info  write action=PatchNode ...` */
export function readableLine(line: string): string {
  const { level, time, msg, ...fields } = lineFields(line);
  const rest = Object.entries(fields).map(
    ([key, value]) =>
      `${key}=${typeof value === 'string' && /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value)}`,
  );
  return `${[String(time).slice(11, 19), String(level).padEnd(5), String(msg), ...rest].join(' ')}\n`;
}

function lineFields(line: string): Readonly<Record<string, unknown>> {
  const parsed: unknown = JSON.parse(line);
  return fieldsOf(parsed);
}
