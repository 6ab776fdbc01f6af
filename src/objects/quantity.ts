// Kubernetes resource quantities (`500m`, `1.5Gi`, `12e6`), exactly: as thousandths in a bigint, because a node's
// memory in bytes times 1000 does not fit a double.

import { err, ok, type Result } from '../base/result.ts';

export type Quantity = { readonly milli: bigint };

export function parseQuantity(text: string): Result<Quantity, string> {
  const match =
    /^([+-]?)(\d+(?:\.\d*)?|\.\d+)(?:([eE][+-]?\d{1,3})|(n|u|m|k|M|G|T|P|E|Ki|Mi|Gi|Ti|Pi|Ei))?$/.exec(text);
  const [, sign, digits = '', exponent, suffix = ''] = match ?? [];
  if (match === null) return err(`is not a quantity: ${JSON.stringify(text)}`);
  const [whole = '', fraction = ''] = digits.split('.');
  const scale = scaleOf(suffix, exponent === undefined ? 0 : Number(exponent.slice(1)));
  const value = BigInt(`${whole}${fraction}`) * scale.multiplier;
  const magnitude = ceilDivide(value, scale.divisor * 10n ** BigInt(fraction.length));
  return ok({ milli: sign === '-' ? -magnitude : magnitude });
}

/** Whether this is what somebody can ask for: a quantity, and not less than nothing. */
export function isAmount(text: string): boolean {
  const quantity = parseQuantity(text);
  return quantity.kind === 'ok' && quantity.value.milli >= 0n;
}

export function compareQuantities(a: Quantity, b: Quantity): -1 | 0 | 1 {
  if (a.milli === b.milli) return 0;
  return a.milli < b.milli ? -1 : 1;
}

type Scale = { readonly multiplier: bigint; readonly divisor: bigint };

function scaleOf(suffix: string, exponent: number): Scale {
  const binary = ['Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'].indexOf(suffix);
  if (binary >= 0) return { multiplier: 1000n * 1024n ** BigInt(binary + 1), divisor: 1n };
  const decimal = suffix === '' ? exponent : (DECIMAL_EXPONENTS[suffix] ?? 0);
  const power = decimal + 3;
  return power >= 0
    ? { multiplier: 10n ** BigInt(power), divisor: 1n }
    : { multiplier: 1n, divisor: 10n ** BigInt(-power) };
}

const DECIMAL_EXPONENTS: Readonly<Record<string, number>> = {
  n: -9,
  u: -6,
  m: -3,
  k: 3,
  M: 6,
  G: 9,
  T: 12,
  P: 15,
  E: 18,
};

/** Rounded up, as the API server does for what is finer than it stores. */
function ceilDivide(value: bigint, divisor: bigint): bigint {
  return (value + divisor - 1n) / divisor;
}
