// The log port. Messages are constant sentences; what varies goes into fields. The pino implementation is chosen in bin.

export type LogFields = Readonly<Record<string, unknown>>;

export interface Log {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  with(fields: LogFields): Log;
}

export const silentLog: Log = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  with: () => silentLog,
};
