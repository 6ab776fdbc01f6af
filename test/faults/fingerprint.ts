// One short word for all of a run: what happened, what was sent and stored, what was written into the audit log, how it ended. Runs
// with equal words are equal in every content, not only in their order.

import { createHash } from 'node:crypto';
import type { Run } from './run.ts';

type Told = Pick<Run, 'trace' | 'calls' | 'writes' | 'audits' | 'end'>;

export function fingerprintOf({ trace, calls, writes, audits, end }: Told): string {
  const hash = createHash('sha256');
  for (const part of [
    trace.lines().map(({ text }) => text),
    calls.map(({ instance, verb, resource, body, options }) => [instance, verb, resource, body, options]),
    writes.map(({ revision, by, after }) => [revision, by, after]),
    audits,
    end,
  ])
    hash.update(`${JSON.stringify(part)}\n`);
  return hash.digest('hex').slice(0, 16);
}
