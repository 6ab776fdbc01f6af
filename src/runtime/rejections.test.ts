import { describe, expect, it } from 'vitest';
import { manualClock } from '../../test/support/manual-clock.ts';
import { present } from '../../test/support/wish-builder.ts';
import { seededRandom } from '../base/random.ts';
import type { NodeWish } from '../objects/wish.ts';
import { createRejections } from './rejections.ts';

const bad: NodeWish = { labels: { team: present('bad value'), zone: present('z') } };
const refusal = { node: 'a', owner: 'stamp', wish: bad, message: 'is invalid' };
const refused = (clock = manualClock()) => {
  const rejections = createRejections({ clock, random: seededRandom(1) });
  rejections.add(refusal);
  return rejections;
};

describe('a refused wish', () => {
  it('is known with what the server said', () => {
    expect(refused().of('a', 'stamp', bad)).toEqual({ message: 'is invalid', isResting: true });
  });

  it('is known when its keys come in another order', () => {
    const reordered: NodeWish = { labels: { zone: present('z'), team: present('bad value') } };
    expect(refused().of('a', 'stamp', reordered)).toMatchObject({ message: 'is invalid' });
  });

  it.each<[string, string, string, NodeWish]>([
    ['another wish', 'a', 'stamp', { labels: { team: present('good') } }],
    ['the same wish for another node', 'b', 'stamp', bad],
    ['the same wish of another owner', 'a', 'other', bad],
  ])('says nothing about %s', (_, node, owner, wish) => {
    expect(refused().of(node, owner, wish)).toBeNull();
  });

  it('gives way to a later one of the same owner', () => {
    const rejections = refused();
    const worse: NodeWish = { labels: { team: present('worse') } };
    rejections.add({ node: 'a', owner: 'stamp', wish: worse, message: 'is worse' });
    expect([rejections.of('a', 'stamp', bad), rejections.of('a', 'stamp', worse)]).toMatchObject([
      null,
      { message: 'is worse' },
    ]);
  });

  it('is forgotten with its node, and not with another', () => {
    const rejections = refused();
    rejections.forgetNode('b');
    expect(rejections.count()).toBe(1);
    rejections.forgetNode('a');
    expect(rejections.of('a', 'stamp', bad)).toBeNull();
    expect(rejections.count()).toBe(0);
  });

  it('rests longer each time it is refused again, up to ten minutes', async () => {
    const clock = manualClock();
    const rejections = refused(clock);
    const restsMs = [rejections.restMs('a') ?? 0];
    for (let times = 0; times < 12; times++) {
      await clock.advance(restsMs.at(-1) ?? 0);
      expect(rejections.of('a', 'stamp', bad)).toEqual({ message: 'is invalid', isResting: false });
      expect(rejections.restMs('a')).toBeNull();
      expect(rejections.add(refusal)).toBe(false);
      restsMs.push(rejections.restMs('a') ?? 0);
    }
    restsMs.slice(0, 7).forEach((restMs, index) => {
      expect(restMs).toBeGreaterThanOrEqual(2_500 * 2 ** index);
      expect(restMs).toBeLessThanOrEqual(5_000 * 2 ** index);
    });
    expect(Math.max(...restsMs)).toBeLessThanOrEqual(600_000);
  });

  it('begins anew when the wish was another one meanwhile', () => {
    const rejections = refused();
    const other = { ...refusal, wish: { labels: { team: present('worse') } } };
    expect([rejections.add(refusal), rejections.add(other), rejections.add(refusal)]).toEqual([
      false,
      true,
      true,
    ]);
  });

  it('is over when all but those that rest were accepted, and those stay refused', () => {
    const rejections = refused();
    rejections.add({ ...refusal, owner: 'other' });
    expect(rejections.ownersOf('a')).toEqual(['stamp', 'other']);
    expect([rejections.accept('b', []), rejections.accept('a', ['stamp', 'other'])]).toEqual([false, false]);
    expect(rejections.accept('a', ['other'])).toBe(true);
    expect(rejections.of('a', 'stamp', bad)).toBeNull();
    expect(rejections.of('a', 'other', bad)).toMatchObject({ isResting: true });
    expect([rejections.accept('a', []), rejections.count()]).toEqual([true, 0]);
  });
});
