import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareQuantities, parseQuantity } from './quantity.ts';

function milli(text: string): bigint {
  const parsed = parseQuantity(text);
  if (parsed.kind === 'error') throw new Error(parsed.error);
  return parsed.value.milli;
}

describe('a quantity', () => {
  it.each<[string, bigint]>([
    ['0', 0n],
    ['1', 1000n],
    ['1.5', 1500n],
    ['1.', 1000n],
    ['.5', 500n],
    ['+2', 2000n],
    ['100m', 100n],
    ['0.1m', 1n],
    ['1k', 1_000_000n],
    ['2M', 2_000_000_000n],
    ['1E', 10n ** 21n],
    ['12e6', 12_000_000_000n],
    ['12E6', 12_000_000_000n],
    ['1e-3', 1n],
    ['1e+3', 1_000_000n],
    ['1.5e3', 1_500_000n],
    ['1Ki', 1_024_000n],
    ['0.5Ki', 512_000n],
    ['1Gi', 1_073_741_824_000n],
    ['1.5Gi', 1_610_612_736_000n],
    ['16Ei', 16n * 1024n ** 6n * 1000n],
    ['32891012Ki', 32_891_012n * 1_024_000n],
  ])('of %s is exact', (text, expected) => {
    expect(milli(text)).toBe(expected);
  });

  it.each<[string, bigint]>([
    ['1n', 1n],
    ['999999n', 1n],
    ['1000000n', 1n],
    ['1000001n', 2n],
    ['1u', 1n],
    ['1001u', 2n],
    ['1.0001', 1001n],
    ['0.0000001', 1n],
    ['1e-9', 1n],
  ])('of %s is rounded up to a thousandth', (text, expected) => {
    expect(milli(text)).toBe(expected);
  });

  it.each<[string, bigint]>([
    ['-1', -1000n],
    ['-100m', -100n],
    ['-1n', -1n],
    ['-1.5Ki', -1_536_000n],
    ['-0', 0n],
  ])('of %s is negative, and rounded away from zero', (text, expected) => {
    expect(milli(text)).toBe(expected);
  });

  it.each([
    '',
    ' ',
    '.',
    '-',
    'm',
    'Gi',
    '1 Gi',
    ' 1',
    '1gi',
    '1K',
    '1mi',
    '1e',
    '1e1000',
    '1e3Ki',
    '1.2.3',
    '--1',
    '0x10',
    '١',
    'NaN',
    'Infinity',
    '1\n',
  ])('is not %j', (text) => {
    expect(parseQuantity(text)).toEqual({
      kind: 'error',
      error: `is not a quantity: ${JSON.stringify(text)}`,
    });
  });

  it('is the same number in every notation', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 20n }), (thousandths) => {
        const whole = thousandths / 1000n;
        const rest = String(thousandths % 1000n).padStart(3, '0');
        expect([`${thousandths}m`, `${whole}.${rest}`, `${thousandths}e-3`].map(milli)).toEqual([
          thousandths,
          thousandths,
          thousandths,
        ]);
      }),
    );
  });
});

describe('quantities', () => {
  it.each([
    ['1Gi', '1024Mi', 0],
    ['1G', '1Gi', -1],
    ['500m', '0.4', 1],
    ['-1', '1', -1],
    ['9007199254740993', '9007199254740992', 1],
  ] as const)('%s and %s compare as %i', (a, b, order) => {
    expect(compareQuantities({ milli: milli(a) }, { milli: milli(b) })).toBe(order);
  });
});
