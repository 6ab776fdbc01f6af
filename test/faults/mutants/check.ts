// Hunts every mutant and prints one line of JSON for each: what caught it, where and after how many runs. A process of its own,
// because mutants are planted by the module loader of Node.

import { Harness } from '../harness.ts';
import { mutants } from '../mutants.ts';
import { launchOperator } from '../operator.ts';
import { hunt } from './hunt.ts';

const sound = new Harness(launchOperator);
for (const mutant of mutants) {
  const caught = await hunt(mutant, sound).catch((error: unknown) => ({ error: String(error) }));
  console.log(JSON.stringify({ name: mutant.name, caught }));
}
