// Every fault of a scenario, from what one run of it did: each write and each event is a place where something can go wrong, and
// each family says what. A new scenario needs no code here; a new family is one entry in the list of families.

import { families } from './families.ts';
import { type Learned, placesOf } from './places.ts';
import type { FaultPlan } from './rule.ts';

export type PlannedFault = { readonly family: string; readonly plan: FaultPlan };

export function enumerateFaults(learned: Learned): readonly PlannedFault[] {
  const places = placesOf(learned);
  return families.flatMap(({ name, plans }) => plans(places).map((plan) => ({ family: name, plan })));
}
