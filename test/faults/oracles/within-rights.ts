// I15: an operator asks for nothing that its role does not allow. Stamps have no role: they exist in tests alone.

import { coreRules, type PolicyRule } from '../../../src/api/rbac.ts';
import type { CallRecord } from '../../../src/sim/faults/records.ts';
import { callWords, type Oracle, resources } from './oracle.ts';

export const withinRights: Oracle = {
  name: 'I15 within its rights',
  judge: (run) =>
    run.calls
      .filter(
        (call) =>
          !call.resource.startsWith(resources.stamps) && !coreRules.some((rule) => allows(rule, call)),
      )
      .map((call) => `${callWords(call)} is not allowed by its role`),
};

function allows(rule: PolicyRule, { verb, resource, ref }: CallRecord): boolean {
  const wanted = verb === 'replace' ? 'update' : verb;
  const subresource = resource.split('/')[1];
  const plural = subresource === undefined ? ref.type.plural : `${ref.type.plural}/${subresource}`;
  return (
    rule.apiGroups.includes(ref.type.group) &&
    rule.resources.includes(plural) &&
    rule.verbs.some((each) => each === wanted) &&
    (rule.resourceNames === undefined || rule.resourceNames.includes(ref.name))
  );
}
