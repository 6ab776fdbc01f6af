// Durations as people write them in flags, config, specs and stage files: `90s`, `10m`, `1h30m`.

const UNITS_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** Milliseconds, or null for what is not a duration. */
export function parseDuration(text: string): number | null {
  if (!/^(?:\d+(?:\.\d+)?(?:ms|s|m|h))+$/.test(text)) return null;
  const parts = text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g);
  return [...parts].reduce(
    (sum, [, amount = '0', unit = 's']) => sum + Number(amount) * (UNITS_MS[unit] ?? 0),
    0,
  );
}
