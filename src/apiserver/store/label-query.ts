// Label selectors as they stand in a query: `a=b,c!=d,e in (f,g),!h,i>3`. Parsed into requirements or one sentence.

import { err, ok, type Result } from '../../base/result.ts';
import { labelKeyProblem, labelValueProblem } from '../../objects/label-key.ts';
import { ownValue } from '../../objects/raw.ts';

type Requirement = {
  readonly key: string;
  readonly operator: 'in' | 'notin' | 'exists' | 'absent' | 'gt' | 'lt';
  readonly values: readonly string[];
};

export type LabelQuery = readonly Requirement[];

export function labelsMatch(query: LabelQuery, labels: Readonly<Record<string, string>>): boolean {
  return query.every((requirement) => holds(requirement, ownValue(labels, requirement.key)));
}

export function parseLabelQuery(text: string): Result<LabelQuery, string> {
  const requirements: Requirement[] = [];
  for (const term of splitTerms(text)) {
    const parsed = parseTerm(term.trim());
    if (parsed.kind === 'error') return parsed;
    requirements.push(parsed.value);
  }
  return ok(requirements);
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

/** At commas outside of parentheses. */
function splitTerms(text: string): readonly string[] {
  if (text.trim() === '') return [];
  return text.split(/,(?![^(]*\))/);
}

const TERM = /^(!?)\s*([^\s=!<>(),]+)\s*(?:(==|=|!=|>|<|\s(?:in|notin)\b)\s*(.*))?$/;

function parseTerm(term: string): Result<Requirement, string> {
  const [, not = '', key = '', rawOperator, rest = ''] = TERM.exec(term) ?? [];
  if (key === '') return err(unparsed(term));
  const problem = labelKeyProblem(key);
  if (problem !== null) return err(`key: Invalid value: ${JSON.stringify(key)}: ${problem}`);
  const operator = rawOperator?.trim();
  if (operator === undefined) return ok({ key, operator: not === '' ? 'exists' : 'absent', values: [] });
  if (not !== '') return err(unparsed(term));
  return parseValues(key, operator, rest.trim());
}

function parseValues(key: string, operator: string, rest: string): Result<Requirement, string> {
  if (operator === 'in' || operator === 'notin') {
    const list = /^\(([^()]*)\)$/.exec(rest)?.[1];
    if (list === undefined) return err(`unable to parse requirement: found '${rest}', expected: '('`);
    return checked({ key, operator, values: list.split(',').map((value) => value.trim()) });
  }
  if (operator === '>' || operator === '<') {
    if (!isWhole(rest))
      return err(
        `values[0]: Invalid value: ${JSON.stringify(rest)}: for 'Gt', 'Lt' operators, the value must be an integer`,
      );
    return ok({ key, operator: operator === '>' ? 'gt' : 'lt', values: [rest] });
  }
  return checked({ key, operator: operator === '!=' ? 'notin' : 'in', values: [rest] });
}

function checked(requirement: Requirement): Result<Requirement, string> {
  for (const [index, value] of requirement.values.entries()) {
    const problem = /\s/.test(value) ? 'it contains blanks' : labelValueProblem(value);
    if (problem !== null)
      return err(`values[${index}][${requirement.key}]: Invalid value: ${JSON.stringify(value)}: ${problem}`);
  }
  return ok(requirement);
}

function isWhole(value: string | undefined): value is string {
  return value !== undefined && /^-?\d+$/.test(value);
}

function unparsed(term: string): string {
  const found = term.split(/\s+/)[1] ?? term;
  return `unable to parse requirement: found '${found}', expected: in, notin, =, ==, !=, gt, lt`;
}
