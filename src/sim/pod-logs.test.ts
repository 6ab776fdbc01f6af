import { describe, expect, it } from 'vitest';
import { manualClock } from '../../test/support/manual-clock.ts';
import { PodLogs } from './pod-logs.ts';

const name = { namespace: 'default', pod: 'a', container: 'main' };
const logged = { ...name, uid: 'u', node: 'n' };

function scene() {
  const clock = manualClock();
  const logs = new PodLogs(clock);
  const heard: string[] = [];
  const listener = { line: ({ text }: { text: string }) => heard.push(text), ended: () => heard.push('end') };
  return { clock, logs, heard, listener };
}

describe('the log of a container', () => {
  it('is kept in order until its pod is forgotten', () => {
    const { logs } = scene();
    logs.append(name, 'one\ntw');
    logs.append(name, 'o\n');
    logs.append({ ...name, pod: 'ab' }, 'other\n');
    expect(logs.read(name)).toBe('one\ntwo\n');
    expect(logs.linesOf(logged)?.map(({ text }) => text)).toEqual(['one', 'two']);
    logs.forget({ namespace: 'default', pod: 'a' });
    expect(logs.read(name)).toBeNull();
    expect(logs.linesOf(logged)).toBeNull();
    expect(logs.read({ ...name, pod: 'ab' })).toBe('other\n');
  });

  it('loses its beginning when it grows too long', () => {
    const { logs } = scene();
    logs.append(name, 'first\n');
    for (let line = 0; line < 300; line++) logs.append(name, `${'x'.repeat(1000)}\n`);
    expect(logs.read(name)?.length).toBeLessThanOrEqual(257 * 1024);
    expect(logs.read(name)).not.toContain('first');
  });

  it('says when each line was written', async () => {
    const { clock, logs } = scene();
    logs.append(name, 'a\n');
    await clock.advance(5_000);
    logs.append(name, 'b\n');
    const [a, b] = logs.linesOf(logged) ?? [];
    expect((b?.at ?? 0) - (a?.at ?? 0)).toBe(5_000);
  });

  it('is followed line by line until the container ends', () => {
    const { logs, heard, listener } = scene();
    logs.append(name, 'before\n');
    logs.follow(logged, listener);
    logs.append(name, 'half');
    logs.append(name, ' a line\nlast');
    logs.end(name);
    logs.append(name, 'of the next life\n');
    expect(heard).toEqual(['half a line', 'last', 'end']);
  });

  it('is over at once for who follows a container that has ended', async () => {
    const { clock, logs, heard, listener } = scene();
    logs.append(name, 'all\n');
    logs.end(name);
    logs.follow(logged, listener);
    await clock.advance(0);
    expect(heard).toEqual(['end']);
  });

  it('is no longer told to who has stopped to follow', () => {
    const { logs, heard, listener } = scene();
    const cancel = logs.follow(logged, listener);
    cancel();
    logs.append(name, 'a\n');
    expect(heard).toEqual([]);
  });
});
