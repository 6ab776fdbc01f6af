// Says on standard error how far a run has come; results go to standard output.

export function say(line: string): void {
  process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`);
}
