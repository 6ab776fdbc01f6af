// A log that a test can read back: each line with its level, its sentence and its fields.

import type { Log, LogFields } from '../../src/base/log.ts';

export type LogLine = { readonly level: string; readonly message: string; readonly fields: LogFields };

export type RecordedLog = Log & {
  readonly lines: readonly LogLine[];
  /** The lines with this sentence. */
  said(message: string): readonly LogLine[];
};

export function recordedLog(): RecordedLog {
  const lines: LogLine[] = [];
  return {
    lines,
    said: (sentence) => lines.filter(({ message }) => message === sentence),
    ...writerOf(lines, {}),
  };
}

function writerOf(lines: LogLine[], common: LogFields): Log {
  const at =
    (level: string) =>
    (message: string, fields: LogFields = {}) =>
      void lines.push({ level, message, fields: { ...common, ...fields } });
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    with: (fields) => writerOf(lines, { ...common, ...fields }),
  };
}
