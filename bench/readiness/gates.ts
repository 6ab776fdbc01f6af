// The names of the bench's gates: what the rules ask for and what they set. Shared by the fleet and the bare client.

export const taintPrefix = 'readiness.k8s.io/bench-';
const conditionPrefix = 'bench.example.com/Ready-';

export const taintKeyOf = (rule: number) => `${taintPrefix}${rule}`;
export const conditionTypeOf = (rule: number) => `${conditionPrefix}${rule}`;
export const ruleName = (rule: number) => `bench-${rule}`;

export function numbersBelow(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index);
}
