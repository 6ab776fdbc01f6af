// Kubernetes timestamps: RFC 3339 strings on the wire, Instants where they are compared.

import type { Instant } from './clock.ts';

/** metav1.Time: whole seconds. Joined, because a text put together by other means would hold on to its pieces. */
export function formatTime(instant: Instant): string {
  return [new Date(instant).toISOString().slice(0, -'.000Z'.length), 'Z'].join('');
}

/** metav1.MicroTime: exactly six fractional digits, or the API server answers 400. */
export function formatMicroTime(instant: Instant): string {
  return new Date(instant).toISOString().replace(/(\.\d{3})Z$/, '$1000Z');
}

/** Null for what is not a timestamp. Date.parse alone takes almost any text that ends in a number for one. */
export function parseTime(text: string | undefined | null): Instant | null {
  if (!text || !RFC_3339.test(text)) return null;
  const instant = Date.parse(text);
  return Number.isNaN(instant) ? null : instant;
}

const RFC_3339 = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/;
