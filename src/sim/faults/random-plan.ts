// Random faults for a seed: some of those that were enumerated, together. The same seed always draws the same.

import { seededRandom } from '../../base/random.ts';
import type { PlannedFault } from './enumerate.ts';
import type { FaultPlan } from './rule.ts';

const FAULTS_MAX = 3;

export function randomPlan(seed: number, faults: readonly PlannedFault[]): FaultPlan {
  const random = seededRandom(seed * 7_919 + 1);
  const count = Math.floor(random.next() * (FAULTS_MAX + 1));
  const drawn = Array.from({ length: count }, () => faults[Math.floor(random.next() * faults.length)]?.plan);
  const plans = drawn.filter((plan) => plan !== undefined);
  const leaders = Math.max(0, ...plans.map((plan) => plan.leaders ?? 0));
  return { ...(leaders === 0 ? {} : { leaders }), rules: plans.flatMap(({ rules }) => rules) };
}
