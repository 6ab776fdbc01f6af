// What every worker asks for and may use where its policy does not say: `requests` and `limits` of cpu and memory, and nothing
// else. A map in a config file, JSON in a flag. What the API server would refuse in each pod is refused here, once.

import { verificationDefaults as defaults } from '../api/verification-vocabulary.ts';
import { err, ok } from '../base/result.ts';
import { compareQuantities, isAmount, parseQuantity } from '../objects/quantity.ts';
import { isRecord } from '../objects/raw.ts';
import { jsonOf } from './option-kinds.ts';
import type { OptionKind } from './options.ts';

const parts = ['requests', 'limits'] as const;
const names = ['cpu', 'memory'] as const;
type Amounts = { readonly cpu?: string; readonly memory?: string };
export type WorkerResources = { readonly requests?: Amounts; readonly limits?: Amounts };

export const workerResources: OptionKind<WorkerResources> = {
  placeholder: '<JSON>',
  read(raw) {
    const given = jsonOf(raw);
    if (!isRecord(given)) return err(`must be a map of requests and limits, not ${JSON.stringify(raw)}`);
    const problems = [...strangersIn(given, parts, ''), ...parts.flatMap((part) => problemsIn(given, part))];
    if (problems.length > 0) return err(problems.join('; '));
    const resources = { ...amountsIn(given, 'requests'), ...amountsIn(given, 'limits') };
    const excess = names.flatMap((name) => excessOf(resources, name) ?? []);
    return excess.length > 0 ? err(excess.join('; ')) : ok(resources);
  },
};

type Given = Readonly<Record<string, unknown>>;

function strangersIn(given: Given, known: readonly string[], path: string): readonly string[] {
  return Object.keys(given)
    .filter((key) => !known.includes(key))
    .map((key) => `${path}${key} is not a known key; known are ${known.join(', ')}`);
}

function problemsIn(given: Given, part: (typeof parts)[number]): readonly string[] {
  const amounts = given[part] ?? {};
  if (!isRecord(amounts)) return [`${part} must be a map, not ${JSON.stringify(amounts)}`];
  const wrong = names
    .filter((name) => amounts[name] !== undefined && !isAmount(amountText(amounts[name])))
    .map((name) => `${part}.${name} must be a quantity of 0 or more, not ${JSON.stringify(amounts[name])}`);
  return [...strangersIn(amounts, names, `${part}.`), ...wrong];
}

/** YAML makes a number of `1`; a pod has text. */
function amountText(amount: unknown): string {
  return typeof amount === 'string' || typeof amount === 'number' ? String(amount) : '';
}

function amountsIn(given: Given, part: (typeof parts)[number]): WorkerResources {
  const amounts = given[part];
  if (!isRecord(amounts)) return {};
  return {
    [part]: Object.fromEntries(Object.entries(amounts).map(([name, amount]) => [name, amountText(amount)])),
  };
}

function excessOf({ requests, limits }: WorkerResources, name: (typeof names)[number]): string | null {
  const least: Amounts = { ...defaults.requests, ...requests };
  const most: Amounts = { ...defaults.limits, ...limits };
  const [asked, allowed] = [parseQuantity(least[name] ?? ''), parseQuantity(most[name] ?? '')];
  if (asked.kind === 'error' || allowed.kind === 'error') return null;
  return compareQuantities(asked.value, allowed.value) > 0
    ? `requests.${name} of ${least[name]} is more than limits.${name} of ${most[name]}`
    : null;
}
