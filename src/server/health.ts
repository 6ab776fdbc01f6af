// Liveness and readiness as pages. Liveness fails only on a real stall, so that a restart can help; readiness says that every
// capability has seen all it needs. A standby is ready too: warm and passive.

import { type Page, textPage } from './http-server.ts';

export type HealthCheck = { readonly name: string; problem(): string | null };

/** 200 with one line per check, or 503 with what is wrong. */
export function healthPage(checks: readonly HealthCheck[]): Page {
  const lines = checks.map((check) => ({ name: check.name, problem: check.problem() }));
  const text = lines
    .map(({ name, problem }) => (problem === null ? `ok ${name}` : `failed ${name}: ${problem}`))
    .join('\n');
  return textPage(lines.every(({ problem }) => problem === null) ? 200 : 503, text === '' ? 'ok' : text);
}
