// What each scenario writes without any fault, as a file that is read in review: everything else is compared with these runs, so
// that what makes them write more would be taken for what is due.

import { describe, expect, it } from 'vitest';
import { Harness } from './harness.ts';
import { launchOperator } from './operator.ts';
import { isOwn, resources } from './oracles/oracle.ts';
import type { Run } from './run.ts';
import { scenarios } from './scenarios.ts';

/** By kind: all writes, and the most of one object. */
function countsOf({ writes }: Run): Readonly<Record<string, string>> {
  const kinds = new Map<string, Map<string, number>>();
  for (const { resource, key } of writes.filter(
    (write) => isOwn(write) && write.resource !== resources.leases,
  )) {
    const objects = kinds.get(resource) ?? new Map<string, number>();
    objects.set(key, (objects.get(key) ?? 0) + 1);
    kinds.set(resource, objects);
  }
  return Object.fromEntries(
    [...kinds]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([kind, objects]) => {
        const counts = [...objects.values()];
        const total = counts.reduce((sum, count) => sum + count, 0);
        return [kind, `${total}, of one at most ${Math.max(...counts)}`];
      }),
  );
}

describe('a calm run', () => {
  it('writes what it is known to write', async () => {
    const harness = new Harness(launchOperator);
    const calm: Record<string, unknown> = {};
    for (const scenario of scenarios) calm[scenario.name] = countsOf(await harness.reference(scenario));
    await expect(`${JSON.stringify(calm, null, 2)}\n`).toMatchFileSnapshot('calm.json');
  });
});
