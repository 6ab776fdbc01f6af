import { describe, expect, it } from 'vitest';
import { canonicalQuantity } from './quantity.ts';

describe('a quantity is written back', () => {
  it.each([
    ['1000m', '1'],
    ['1024Mi', '1Gi'],
    ['1500M', '1500M'],
    ['1.5Gi', '1536Mi'],
    ['0.5Ki', '512'],
    ['2048Mi', '2Gi'],
    ['100000', '100k'],
    ['1e3', '1e3'],
    ['12000000e-6', '12'],
    ['0.1', '100m'],
    ['-1000m', '-1'],
    ['0Gi', '0'],
    ['.5n', '1m'],
    ['1.0001Ki', '1024103m'],
  ])('%s as %s', (given, canonical) => {
    expect(canonicalQuantity(given)).toBe(canonical);
  });

  it('not at all when it is none', () => {
    expect(canonicalQuantity('1GiB')).toBe(null);
  });
});
