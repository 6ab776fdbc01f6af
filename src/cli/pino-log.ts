// The log port over pino: synchronous JSON lines on a stream, or one readable line each for a person at a terminal.

import pino from 'pino';
import type { Log, LogFields } from '../base/log.ts';
import { fieldsOf } from '../objects/raw.ts';

export type LogOptions = {
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly format: 'json' | 'text';
  readonly write: (line: string) => void;
};

export function createPinoLog({ level, format, write }: LogOptions): Log {
  const destination = { write: format === 'json' ? write : (line: string) => write(readable(line)) };
  const logger = pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    destination,
  );
  return wrap(logger);
}

function wrap(logger: pino.Logger): Log {
  const at =
    (level: 'debug' | 'info' | 'warn' | 'error') =>
    (message: string, fields: LogFields = {}) =>
      logger[level](fields, message);
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    with: (fields) => wrap(logger.child(fields)),
  };
}

/** `12:04:05 info  write action=PatchNode ...`: the JSON line said for people. */
function readable(line: string): string {
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
