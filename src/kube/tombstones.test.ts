import { describe, expect, it } from 'vitest';
import { Tombstones } from './tombstones.ts';

const at = (uid: string, resourceVersion: string) => ({ uid, resourceVersion });

describe('a tombstone', () => {
  it('covers what is as old as the end or older, and nothing later', () => {
    const gone = new Tombstones();
    gone.bury('a', '10');
    expect(['9', '10', '11', 'x'].map((version) => gone.covers(at('a', version)))).toEqual([
      true,
      true,
      false,
      false,
    ]);
    expect(gone.covers(at('b', '9'))).toBe(false);
  });

  it('covers everything once a live read has found nothing, whatever is heard later', () => {
    const gone = new Tombstones();
    gone.bury('a', null);
    gone.bury('a', '10');
    expect(gone.covers(at('a', '99'))).toBe(true);
  });

  it('is not made for an object without a uid', () => {
    const gone = new Tombstones();
    gone.bury('', null);
    expect(gone.covers(at('', '1'))).toBe(false);
  });

  it('is forgotten when 1024 younger ones exist', () => {
    const gone = new Tombstones();
    for (let i = 0; i <= 1024; i++) gone.bury(`uid-${i}`, '5');
    expect(gone.covers(at('uid-0', '5'))).toBe(false);
    expect(gone.covers(at('uid-1', '5'))).toBe(true);
    expect(gone.covers(at('uid-1024', '5'))).toBe(true);
  });
});
