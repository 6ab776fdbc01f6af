// Whether two pieces of plain data say the same: as canonical text would, without writing any. Most of what is compared is
// equal and shares its parts, so this is where a visit that changes nothing saves its time.

/** The order of keys does not count, nor does a field that is undefined. */
export function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (!isComposite(a) || !isComposite(b)) return (a ?? null) === (b ?? null);
  if (Array.isArray(a) || Array.isArray(b)) return Array.isArray(a) && Array.isArray(b) && areSame(a, b);
  return definedCount(a) === definedCount(b) && Object.keys(a).every((key) => isSameField(a, b, key));
}

type Composite = Readonly<Record<string, unknown>>;

function isComposite(value: unknown): value is Composite {
  return typeof value === 'object' && value !== null;
}

function areSame(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((item, index) => isSame(item, b[index]));
}

function isSameField(a: Composite, b: Composite, key: string): boolean {
  if (a[key] === undefined) return true;
  // `constructor` is a valid label: what every object inherits is not what this one carries.
  const other = Object.hasOwn(b, key) ? b[key] : undefined;
  return other !== undefined && isSame(a[key], other);
}

function definedCount(value: Composite): number {
  let count = 0;
  for (const key of Object.keys(value)) if (value[key] !== undefined) count++;
  return count;
}
