import { expect, it } from 'vitest';
import { silentLog } from './log.ts';

it('the silent log takes every message and stays silent with more fields', () => {
  const log = silentLog.with({ node: 'a' });
  for (const level of ['debug', 'info', 'warn', 'error'] as const) {
    expect(log[level]('write', { outcome: 'done' })).toBeUndefined();
  }
  expect(log).toBe(silentLog);
});
