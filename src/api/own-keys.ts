// Which keys a policy or a rule may call its own on nodes. What others set and read is never one: it would be taken from them.

import { labelKeyProblem } from '../objects/label-key.ts';
import { foreignLabelKeys, foreignTaintKeys } from './keys.ts';

/** What is wrong with the key of a taint, with the key; null when nothing is. */
export function taintKeyProblem(key: string): string | null {
  if (foreignTaintKeys.includes(key)) return `${key} belongs to Kubernetes or to an autoscaler`;
  const problem = labelKeyProblem(key);
  return problem === null ? null : `${JSON.stringify(key)} is not a taint key: ${problem}`;
}

/** The same of the key of a label. */
export function ownLabelProblem(key: string): string | null {
  if (foreignLabelKeys.includes(key)) return `${key} is set by Kubernetes or by a provider`;
  const problem = labelKeyProblem(key);
  return problem === null ? null : `${JSON.stringify(key)} is not a label key: ${problem}`;
}
