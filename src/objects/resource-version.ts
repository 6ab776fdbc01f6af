// Order of resourceVersions: decimal strings of any length, compared without ever becoming a number (a double
// loses digits above 2^53). What does not parse has no order, and a live read must decide.

export type Order = 'older' | 'equal' | 'newer' | 'unknown';

/** How `a` stands to `b`. */
export function compareResourceVersions(a: string, b: string): Order {
  if (a === b) return 'equal';
  if (!DECIMAL.test(a) || !DECIMAL.test(b)) return 'unknown';
  if (a.length !== b.length) return a.length < b.length ? 'older' : 'newer';
  return a < b ? 'older' : 'newer';
}

const DECIMAL = /^[1-9]\d*$/;
