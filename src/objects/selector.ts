// The full LabelSelector: matchLabels and the four operators. Parsed once into a value or all of its problems.

import { err, ok, type Problem, type Result } from '../base/result.ts';
import { labelKeyProblem, labelValueProblem } from './label-key.ts';
import { fieldsOf, isRecord, ownValue } from './raw.ts';

export type Requirement =
  | { readonly kind: 'in' | 'notIn'; readonly key: string; readonly values: readonly string[] }
  | { readonly kind: 'exists' | 'doesNotExist'; readonly key: string };

/** All requirements hold. None at all matches everything. */
export type Selector = readonly Requirement[];

export function matches(selector: Selector, labels: Readonly<Record<string, string>>): boolean {
  return selector.every((requirement) => holds(requirement, labels));
}

function holds(requirement: Requirement, labels: Readonly<Record<string, string>>): boolean {
  const value = ownValue(labels, requirement.key);
  switch (requirement.kind) {
    case 'in':
      return value !== undefined && requirement.values.includes(value);
    case 'notIn':
      return value === undefined || !requirement.values.includes(value);
    case 'exists':
      return value !== undefined;
    case 'doesNotExist':
      return value === undefined;
  }
}

export function parseSelector(raw: unknown, path: string): Result<Selector, readonly Problem[]> {
  if (!isRecord(raw)) return err([{ path, message: 'must be a label selector' }]);
  const problems: Problem[] = Object.keys(raw)
    .filter((field) => field !== 'matchLabels' && field !== 'matchExpressions')
    .map((field) => ({ path: `${path}.${field}`, message: 'is not a field of a label selector' }));
  const selector = [
    ...parseMatchLabels(raw['matchLabels'], `${path}.matchLabels`, problems),
    ...parseMatchExpressions(raw['matchExpressions'], `${path}.matchExpressions`, problems),
  ];
  return problems.length === 0 ? ok(selector) : err(problems);
}

function parseMatchLabels(raw: unknown, path: string, problems: Problem[]): readonly Requirement[] {
  if (raw === undefined) return [];
  if (!isRecord(raw)) {
    problems.push({ path, message: 'must be a map of label values' });
    return [];
  }
  return Object.entries(raw).flatMap(([key, value]): Requirement[] => {
    checkKey(key, `${path}[${key}]`, problems);
    const text = checkValue(value, `${path}[${key}]`, problems);
    return text === null ? [] : [{ kind: 'in', key, values: [text] }];
  });
}

function parseMatchExpressions(raw: unknown, path: string, problems: Problem[]): readonly Requirement[] {
  if (raw === undefined) return [];
  if (!Array.isArray(raw)) {
    problems.push({ path, message: 'must be a list' });
    return [];
  }
  return raw.flatMap((item, index) => parseExpression(item, `${path}[${index}]`, problems));
}

function parseExpression(raw: unknown, path: string, problems: Problem[]): readonly Requirement[] {
  const { key, operator, values } = fieldsOf(raw);
  if (typeof key !== 'string') {
    problems.push({ path: `${path}.key`, message: 'is missing' });
    return [];
  }
  checkKey(key, `${path}.key`, problems);
  const list = values ?? [];
  if (!Array.isArray(list)) {
    problems.push({ path: `${path}.values`, message: 'must be a list' });
    return [];
  }
  const texts = list.flatMap((value, index) => checkValue(value, `${path}.values[${index}]`, problems) ?? []);
  switch (operator) {
    case 'In':
    case 'NotIn':
      if (list.length === 0)
        problems.push({ path: `${path}.values`, message: `must not be empty for ${operator}` });
      return [{ kind: operator === 'In' ? 'in' : 'notIn', key, values: texts }];
    case 'Exists':
    case 'DoesNotExist':
      if (list.length > 0)
        problems.push({ path: `${path}.values`, message: `must be empty for ${operator}` });
      return [{ kind: operator === 'Exists' ? 'exists' : 'doesNotExist', key }];
    default:
      problems.push({
        path: `${path}.operator`,
        message: `must be In, NotIn, Exists or DoesNotExist, not ${JSON.stringify(operator)}`,
      });
      return [];
  }
}

function checkKey(key: string, path: string, problems: Problem[]): void {
  const problem = labelKeyProblem(key);
  if (problem !== null) problems.push({ path, message: problem });
}

function checkValue(value: unknown, path: string, problems: Problem[]): string | null {
  const problem = typeof value === 'string' ? labelValueProblem(value) : 'must be a string';
  if (problem !== null) problems.push({ path, message: problem });
  return typeof value === 'string' && problem === null ? value : null;
}
