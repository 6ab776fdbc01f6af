// Label selectors of a query, `a=b,c!=d,e in (f,g),!h,i>3`, as requirements that labels meet or not.

import { ownValue } from '../../objects/raw.ts';

export type Requirement = {
  readonly key: string;
  readonly operator: 'in' | 'notin' | 'exists' | 'absent' | 'gt' | 'lt';
  readonly values: readonly string[];
};

export type LabelQuery = readonly Requirement[];

export function labelsMatch(query: LabelQuery, labels: Readonly<Record<string, string>>): boolean {
  return query.every((requirement) => holds(requirement, ownValue(labels, requirement.key)));
}

function holds({ operator, values }: Requirement, value: string | undefined): boolean {
  switch (operator) {
    case 'in':
      return value !== undefined && values.includes(value);
    case 'notin':
      return value === undefined || !values.includes(value);
    case 'exists':
      return value !== undefined;
    case 'absent':
      return value === undefined;
    case 'gt':
      return isWhole(value) && Number(value) > Number(values[0]);
    case 'lt':
      return isWhole(value) && Number(value) < Number(values[0]);
  }
}

function isWhole(value: string | undefined): value is string {
  return value !== undefined && /^-?\d+$/.test(value);
}
