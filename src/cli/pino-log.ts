// The log port over pino: synchronous JSON lines on a stream, or one readable line each for a person at a terminal.

import pino from 'pino';
import type { Log, LogFields } from '../base/log.ts';
import { readableLine } from './log-text.ts';

export type LogOptions = {
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly format: 'json' | 'text';
  readonly write: (line: string) => void;
};

export function createPinoLog({ level, format, write }: LogOptions): Log {
  const destination = { write: format === 'json' ? write : (line: string) => write(readableLine(line)) };
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
