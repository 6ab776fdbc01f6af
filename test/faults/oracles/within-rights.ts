// I15: an operator asks for nothing that its role does not allow. Stamps have no role: they exist in tests alone.

import { systemNamespace } from '../../../src/api/keys.ts';
import { coreRules, type PolicyRule } from '../../../src/api/rbac.ts';
import { readinessRules } from '../../../src/capabilities/readiness/rbac.ts';
import { verificationRules } from '../../../src/capabilities/verification/rbac.ts';
import type { CallRecord } from '../../../src/sim/faults/records.ts';
import { type CapabilityName, capabilityOf } from '../scenario.ts';
import { callWords, type Oracle, resources } from './oracle.ts';

export const withinRights: Oracle = {
  name: 'I15 within its rights',
  judge(run) {
    const role = roles[capabilityOf(run.scenario)];
    return run.calls
      .filter(
        (call) => !call.resource.startsWith(resources.stamps) && !role.some((rule) => allows(rule, call)),
      )
      .map((call) => `${callWords(call)} is not allowed by its role`);
  },
};

/** Without what is granted for something that no scenario switches on. */
const roles: Readonly<Record<CapabilityName, readonly PolicyRule[]>> = {
  stamp: coreRules,
  readiness: [...coreRules, ...readinessRules],
  verification: [...coreRules, ...verificationRules.filter(({ only }) => only === undefined)],
};

export function allows(rule: PolicyRule, { verb, resource, ref, options }: CallRecord): boolean {
  const wanted = verb === 'replace' ? 'update' : verb;
  const subresource = resource.split('/')[1];
  const plural = subresource === undefined ? ref.type.plural : `${ref.type.plural}/${subresource}`;
  return (
    (rule.scope === 'Cluster' || ref.namespace === systemNamespace) &&
    rule.apiGroups.includes(ref.type.group) &&
    rule.resources.includes(plural) &&
    rule.verbs.some((each) => each === wanted) &&
    (rule.resourceNames === undefined || rule.resourceNames.includes(ref.name || nameIn(options)))
  );
}

/** A list of one object by its name is allowed to whoever may see that name. */
function nameIn({ fieldSelector = '' }: CallRecord['options']): string {
  return /^metadata\.name=(.+)$/.exec(fieldSelector)?.[1] ?? '';
}
