import { describe, expect, it } from 'vitest';
import { manualClock } from '../../test/support/manual-clock.ts';
import { silentLog } from '../base/log.ts';
import { seededRandom } from '../base/random.ts';
import { err, ok } from '../base/result.ts';
import type { RawObject } from '../objects/raw.ts';
import { nodeType } from '../objects/ref.ts';
import { Mirror, type MirrorChange } from './mirror.ts';
import type { WorldApi, WorldFailure, WorldListener } from './world-api.ts';

const failure = (code: number): WorldFailure => ({ reason: 'x', code, message: 'no' });
const object = (name: string, resourceVersion: string, uid = name): RawObject => ({
  metadata: { name, uid, resourceVersion },
});

function scene(lists: readonly (readonly RawObject[] | WorldFailure)[]) {
  const clock = manualClock();
  const listeners: WorldListener[] = [];
  const starts: string[] = [];
  const changes: MirrorChange[] = [];
  let listed = 0;
  const unused = async () => err(failure(500));
  const api: WorldApi = {
    get: unused,
    create: unused,
    replace: unused,
    patch: unused,
    delete: unused,
    async list() {
      const items = lists[listed++] ?? [];
      return 'code' in items ? err(items) : ok({ items, resourceVersion: '10', continueToken: '' });
    },
    watch(_selection, { resourceVersion }, listener) {
      starts.push(resourceVersion);
      listeners.push(listener);
      return () => listener.ended(null);
    },
  };
  const mirror = new Mirror({
    api,
    clock,
    random: seededRandom(1),
    log: silentLog,
    selection: { type: nodeType },
  });
  mirror.onChange((change) => changes.push(change));
  const told = () => changes.map(({ kind, key }) => `${kind} ${key}`);
  return { clock, mirror, listeners, starts, told };
}

describe('a mirror', () => {
  it('lists, then watches from there, and tells every change once', async () => {
    const { clock, mirror, listeners, starts, told } = scene([[object('a', '5')]]);
    await mirror.start();
    await clock.advance(0);
    expect(starts).toEqual(['10']);
    listeners[0]?.event({ kind: 'object', change: 'ADDED', object: object('b', '11') });
    listeners[0]?.event({ kind: 'object', change: 'MODIFIED', object: object('a', '12') });
    mirror.observe(object('a', '12'));
    listeners[0]?.event({ kind: 'object', change: 'DELETED', object: object('b', '13') });
    expect(told()).toEqual(['added a', 'added b', 'changed a', 'gone b']);
    expect(mirror.size).toBe(1);
  });

  it('goes on where it was when a watch ends well', async () => {
    const { clock, mirror, listeners, starts } = scene([[]]);
    await mirror.start();
    await clock.advance(0);
    listeners[0]?.event({ kind: 'bookmark', resourceVersion: '25' });
    listeners[0]?.ended(null);
    await clock.advance(0);
    expect(starts).toEqual(['10', '25']);
  });

  it('opens a watch anew that has been silent for too long', async () => {
    const { clock, mirror, listeners, starts } = scene([[]]);
    await mirror.start();
    await clock.advance(60_000);
    listeners[0]?.event({ kind: 'bookmark', resourceVersion: '25' });
    await clock.advance(89_000);
    expect(starts).toEqual(['10']);
    await clock.advance(1_000);
    expect(starts).toEqual(['10', '25']);
    mirror.stop();
    expect(clock.pendingTimers()).toBe(0);
  });

  it('lists again after a failure, and says what went away meanwhile', async () => {
    const { clock, mirror, listeners, told } = scene([
      [object('a', '5'), object('b', '6')],
      failure(500),
      [object('b', '6')],
    ]);
    await mirror.start();
    await clock.advance(0);
    listeners[0]?.event({ kind: 'error', failure: failure(410) });
    listeners[0]?.ended(null);
    await clock.advance(5_000);
    expect(told()).toEqual(['added a', 'added b', 'gone a']);
    expect(listeners).toHaveLength(2);
  });

  it('tells another object of the same name apart', async () => {
    const { clock, mirror, listeners, told } = scene([[object('a', '5', 'one')]]);
    await mirror.start();
    await clock.advance(0);
    listeners[0]?.event({ kind: 'object', change: 'ADDED', object: object('a', '12', 'two') });
    mirror.observe(object('a', '13', 'one'));
    listeners[0]?.event({ kind: 'object', change: 'DELETED', object: object('a', '14', 'one') });
    expect(told()).toEqual(['added a', 'gone a', 'added a']);
    expect(mirror.get('a')?.metadata?.uid).toBe('two');
  });

  it('takes a kind that is not served for one without objects', async () => {
    const { mirror } = scene([failure(404)]);
    await expect(mirror.start()).resolves.toBeUndefined();
    expect(mirror.size).toBe(0);
    mirror.stop();
  });
});
