import { describe, expect, it } from 'vitest';
import { coreRules } from './rbac.ts';

describe('the rights of the operator', () => {
  it('hold no wildcard', () => {
    const words = coreRules.flatMap(({ apiGroups, resources, verbs }) => [
      ...apiGroups,
      ...resources,
      ...verbs,
    ]);
    expect(words.filter((word) => word.includes('*'))).toEqual([]);
  });

  it('let it change a Node only by a patch', () => {
    const verbs = coreRules
      .filter(({ resources }) => resources.includes('nodes'))
      .flatMap((rule) => rule.verbs);
    expect(verbs).toEqual(['get', 'list', 'watch', 'patch']);
  });

  it('reach no lease but its own, and only in its own namespace', () => {
    const rules = coreRules.filter(({ resources }) => resources.includes('leases'));
    expect(rules.map(({ scope }) => scope)).toEqual(['Namespace', 'Namespace']);
    expect(
      rules.filter(({ resourceNames }) => resourceNames === undefined).flatMap(({ verbs }) => verbs),
    ).toEqual(['create']);
  });
});
