import { describe, expect, it } from 'vitest';
import { present } from '../../test/support/wish-builder.ts';
import type { NodeWish } from '../objects/wish.ts';
import { createRejections } from './rejections.ts';

const bad: NodeWish = { labels: { team: present('bad value'), zone: present('z') } };
const refused = () => {
  const rejections = createRejections();
  rejections.add({ node: 'a', capability: 'stamp', wish: bad, message: 'is invalid' });
  return rejections;
};

describe('a refused wish', () => {
  it('is known with what the server said', () => {
    expect(refused().messageFor('a', 'stamp', bad)).toBe('is invalid');
  });

  it('is known when its keys come in another order', () => {
    const reordered: NodeWish = { labels: { zone: present('z'), team: present('bad value') } };
    expect(refused().messageFor('a', 'stamp', reordered)).toBe('is invalid');
  });

  it.each<[string, string, string, NodeWish]>([
    ['another wish', 'a', 'stamp', { labels: { team: present('good') } }],
    ['the same wish for another node', 'b', 'stamp', bad],
    ['the same wish of another capability', 'a', 'other', bad],
  ])('says nothing about %s', (_, node, capability, wish) => {
    expect(refused().messageFor(node, capability, wish)).toBeNull();
  });

  it('gives way to a later one of the same capability', () => {
    const rejections = refused();
    const worse: NodeWish = { labels: { team: present('worse') } };
    rejections.add({ node: 'a', capability: 'stamp', wish: worse, message: 'is worse' });
    expect([rejections.messageFor('a', 'stamp', bad), rejections.messageFor('a', 'stamp', worse)]).toEqual([
      null,
      'is worse',
    ]);
  });

  it('is forgotten with its node, and not with another', () => {
    const rejections = refused();
    rejections.forgetNode('b');
    expect(rejections.count()).toBe(1);
    rejections.forgetNode('a');
    expect(rejections.messageFor('a', 'stamp', bad)).toBeNull();
    expect(rejections.count()).toBe(0);
  });

  it('is forgotten with all others by a resync', () => {
    const rejections = refused();
    rejections.forgetAll();
    expect(rejections.messageFor('a', 'stamp', bad)).toBeNull();
  });
});
