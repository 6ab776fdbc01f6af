// Names of properties as rules spell them: what CEL cannot read in a name is written out between double underscores.

const reserved: ReadonlySet<string> = new Set(
  (
    'true false null in as break const continue else for function if import let loop package namespace return ' +
    'var void while'
  ).split(' '),
);

const words: ReadonlyMap<string, string> = new Map([
  ['__', '__underscores__'],
  ['.', '__dot__'],
  ['-', '__dash__'],
  ['/', '__slash__'],
]);

/** Null for a name that cannot be used in a rule at all. */
export function escapeName(name: string): string | null {
  if (!/^[a-zA-Z_./-][a-zA-Z0-9_./-]*$/.test(name)) return null;
  if (reserved.has(name)) return `__${name}__`;
  return name.replace(/__|[./-]/g, (found) => words.get(found) ?? found);
}
