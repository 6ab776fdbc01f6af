// Quantities to the nanounit, which is the finest that Kubernetes keeps; what is finer is rounded away from zero. Written back as
// the real server does: the shortest text of the same value in the family of suffixes it came in.

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
const NANO = 1_000_000_000n;
const MILLI = 1_000_000n;
const KIBI = 1024n;

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

/** An amount of a resource, to the thousandth; null for what is no quantity. */
export function canonicalQuantity(text: string): string | null {
  const nanos = parseQuantityNanos(text);
  if (nanos === null) return null;
  const magnitude = ceilDivide(nanos < 0n ? -nanos : nanos, MILLI) * MILLI;
  const sign = nanos < 0n ? '-' : '';
  return sign + written(magnitude, familyOf(text, magnitude));
}

type Family = 'binary' | 'decimal' | 'exponent';

/** Below 1024, and of what is no whole number, there is nothing to say in powers of 1024. */
function familyOf(text: string, magnitude: bigint): Family {
  if (text.endsWith('i')) return magnitude < KIBI * NANO || magnitude % NANO > 0n ? 'decimal' : 'binary';
  return /[eE][+-]?\d+$/.test(text) ? 'exponent' : 'decimal';
}

const binarySuffixes = ['', ...binary];
const decimalSuffixes = [...decimal.keys()];
/** Where the suffix for 1 stands among the decimal ones. */
const UNIT = 3;

function written(nanos: bigint, family: Family): string {
  if (nanos === 0n) return '0';
  if (family === 'binary') {
    const { rest, steps } = reduced(nanos / NANO, KIBI, binarySuffixes.length - 1);
    return `${rest}${binarySuffixes[steps]}`;
  }
  const { rest, steps } = reduced(nanos, 1000n, decimalSuffixes.length - 1);
  if (family === 'decimal') return `${rest}${decimalSuffixes[steps]}`;
  const exponent = (steps - UNIT) * 3;
  return exponent === 0 ? `${rest}` : `${rest}e${exponent}`;
}

function reduced(amount: bigint, base: bigint, stepsMax: number): { rest: bigint; steps: number } {
  let [rest, steps] = [amount, 0];
  while (steps < stepsMax && rest % base === 0n) {
    rest /= base;
    steps++;
  }
  return { rest, steps };
}
