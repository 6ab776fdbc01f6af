// A rule as people name it on the command line: `network`, or with its kind where two have the same name: `nrgr/network`.

import { ruleShortNames } from '../../api/readiness-vocabulary.ts';
import { err, ok, type Result } from '../../base/result.ts';
import { type Front, fronts, ruleTypes } from '../../fleet/readiness-rule.ts';
import { resourceName } from '../../objects/ref.ts';
import { nearNames } from '../../present/near-names.ts';
import { type RuleFacts, ruleLabel } from '../../present/rule-facts.ts';
import { objectName } from '../option-kinds.ts';
import { type Complaint, viewExitCodes } from './view-command.ts';

export type RuleName = { readonly front: Front | null; readonly name: string };

export function parseRuleName(text: string): Result<RuleName, string> {
  const slash = text.indexOf('/');
  const name = objectName.read(text.slice(slash + 1));
  if (name.kind === 'error') return name;
  if (slash < 0) return ok({ front: null, name: name.value });
  const kind = text.slice(0, slash).toLowerCase();
  const front = fronts.find((each) => namesOf(each).includes(kind));
  if (front === undefined)
    return err(`${kind} is not a kind of rules; they are ${Object.values(ruleShortNames).join(' and ')}`);
  return ok({ front, name: name.value });
}

/** Whatever kubectl takes for the kind. */
function namesOf(front: Front): readonly string[] {
  const type = ruleTypes[front];
  return [ruleShortNames[front], type.kind.toLowerCase(), type.plural, resourceName(type)];
}

export function chooseRule(
  { front, name }: RuleName,
  rules: readonly RuleFacts[],
): Result<RuleFacts, readonly Complaint[]> {
  const found = rules.filter(({ view }) => view.name === name && (front === null || view.front === front));
  const [first, second] = found;
  if (first !== undefined && second === undefined) return ok(first);
  const labels = (some: readonly RuleFacts[]) => some.map(({ view }) => ruleLabel(view));
  if (first !== undefined) {
    const message = `both kinds have a rule of this name; say ${labels(found).join(' or ')}`;
    return err([{ path: name, message, code: viewExitCodes.usage }]);
  }
  const near = nearNames(name, [...new Set(rules.map(({ view }) => view.name))]);
  const meant = labels(rules.filter(({ view }) => near.includes(view.name)));
  const hint = meant.length > 0 ? `did you mean ${meant.join(', ')}?` : 'muster rules lists them';
  return err([{ path: name, message: `there is no such rule; ${hint}`, code: viewExitCodes.failure }]);
}
