// How often a property is tried: as often as its test says, or as often as PROPERTY_RUNS says. A mutation run asks for few,
// because it repeats every test for every mutant.

export function propertyRuns(usual: number): { readonly numRuns: number } {
  const asked = process.env['PROPERTY_RUNS'];
  const numRuns = asked === undefined ? usual : Number(asked);
  if (!Number.isInteger(numRuns) || numRuns < 1)
    throw new Error(`PROPERTY_RUNS must be an integer of at least 1, not ${asked}`);
  return { numRuns };
}
