import { describe, expect, it } from 'vitest';
import { createPodLogs } from './pod-logs.ts';

const name = { namespace: 'default', pod: 'a', container: 'main' };

describe('the log of a container', () => {
  it('is kept in order until its pod is forgotten', () => {
    const logs = createPodLogs();
    logs.append(name, 'one\n');
    logs.append(name, 'two\n');
    logs.append({ ...name, pod: 'ab' }, 'other\n');
    expect(logs.read(name)).toBe('one\ntwo\n');
    logs.forget({ namespace: 'default', pod: 'a' });
    expect(logs.read(name)).toBeNull();
    expect(logs.read({ ...name, pod: 'ab' })).toBe('other\n');
  });

  it('loses its beginning when it grows too long', () => {
    const logs = createPodLogs();
    logs.append(name, 'first\n');
    logs.append(name, 'x'.repeat(300_000));
    expect(logs.read(name)).toHaveLength(256 * 1024);
    expect(logs.read(name)).not.toContain('first');
  });
});
