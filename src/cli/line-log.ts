// The log port in a few lines, for a worker: a library would cost it a tenth of its memory. The same lines as the operator's.

import type { Clock } from '../base/clock.ts';
import type { Log, LogFields } from '../base/log.ts';
import { formatTime } from '../base/timestamp.ts';
import { readableLine } from './log-text.ts';

export const logLevels = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof logLevels)[number];

export type LineLogOptions = {
  readonly level: LogLevel;
  readonly format: 'json' | 'text';
  readonly clock: Clock;
  readonly write: (line: string) => void;
};

export function createLineLog(options: LineLogOptions, always: LogFields = {}): Log {
  const { level: lowest, format, clock, write } = options;
  const at =
    (level: LogLevel) =>
    (message: string, fields: LogFields = {}) => {
      if (logLevels.indexOf(level) < logLevels.indexOf(lowest)) return;
      const line = JSON.stringify({
        level,
        time: formatTime(clock.now()),
        ...always,
        ...fields,
        msg: message,
      });
      write(format === 'json' ? `${line}\n` : readableLine(line));
    };
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    with: (fields) => createLineLog(options, { ...always, ...fields }),
  };
}
