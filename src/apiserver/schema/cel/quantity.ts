// Quantities to the nanounit, which is the finest that Kubernetes keeps; what is finer is rounded away from zero.

const decimal: ReadonlyMap<string, number> = new Map([
  ['n', -9],
  ['u', -6],
  ['m', -3],
  ['', 0],
  ['k', 3],
  ['M', 6],
  ['G', 9],
  ['T', 12],
  ['P', 15],
  ['E', 18],
]);
const binary = ['Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];

/** Null for what is no quantity. */
export function parseQuantityNanos(text: string): bigint | null {
  const match = /^([+-]?)(\d+(?:\.\d*)?|\.\d+)(?:[eE]([+-]?\d{1,3})|([numkMGTPE]|[KMGTPE]i)?)$/.exec(text);
  if (match === null) return null;
  const [, sign, digits = '', exponent, suffix = ''] = match;
  const [whole = '', fraction = ''] = digits.split('.');
  const power = 1024n ** BigInt(binary.indexOf(suffix) + 1);
  const shift = 9 + Number(exponent ?? decimal.get(suffix) ?? 0) - fraction.length;
  const size = BigInt(whole + fraction) * power;
  const nanos = shift >= 0 ? size * 10n ** BigInt(shift) : ceilDivide(size, 10n ** BigInt(-shift));
  return sign === '-' ? -nanos : nanos;
}

function ceilDivide(value: bigint, divisor: bigint): bigint {
  return (value + divisor - 1n) / divisor;
}
