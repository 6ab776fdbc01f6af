// The rules of a schema in CEL, compiled once and run over an object and what it was before an update. A rule that
// reads oldSelf runs only where there is something to compare with.

import { isRecord, ownValue } from '../../objects/raw.ts';
import type { CelType } from './cel/cel-type.ts';
import { Budget } from './cel/code.ts';
import { compileExpression, type Expression } from './cel/expression.ts';
import { asResource, type Reading, readingOf } from './cel/schema-type.ts';
import { CelError, CostExceeded, type Value } from './cel/value.ts';
import { oldItemsOf } from './correlation.ts';
import { duplicate, type FieldError, forbidden, invalid, omitted, required } from './field-error.ts';
import { parseFieldPath } from './field-path.ts';
import type { Place } from './place.ts';
import type { Rule, SchemaNode } from './schema-node.ts';

export type RuleLimits = {
  /** About how many steps one rule may take, and all rules of one object. */
  readonly ruleCostMax: number;
  readonly objectCostMax: number;
};

export type RuleSubject = { readonly value: unknown; readonly old: unknown; readonly at: Place };
export type RuleCheck = (subject: RuleSubject, run: RuleRun) => void;

/** One pass over one object. */
export class RuleRun {
  readonly errors: FieldError[] = [];
  readonly limits: RuleLimits;
  #left: number;
  isOver = false;

  constructor(limits: RuleLimits) {
    this.limits = limits;
    this.#left = limits.objectCostMax;
  }

  /** What the work costs is taken from what the object may cost. */
  spend<T>(work: (budget: Budget) => T): T {
    const budget = new Budget(this.limits.ruleCostMax);
    try {
      return work(budget);
    } finally {
      this.#left -= this.limits.ruleCostMax - budget.left;
    }
  }

  get isSpent(): boolean {
    return this.#left < 0;
  }
}

export type CompiledRule = {
  readonly rule: Rule;
  readonly expression: Expression;
  readonly message: Expression | null;
  readonly fieldPath: string;
};
export type RuleProblem = {
  readonly rule: Rule;
  readonly field: 'rule' | 'messageExpression';
  readonly words: string;
};

/** Compiles the rules of one schema, without those inside of it. */
export function compileRules(
  schema: SchemaNode,
  reading: Reading,
): { readonly rules: readonly CompiledRule[]; readonly problems: readonly RuleProblem[] } {
  const rules: CompiledRule[] = [];
  const problems: RuleProblem[] = [];
  for (const rule of schema.rules.filter(({ rule }) => rule.trim() !== '')) {
    const types = { self: reading.type, oldSelf: oldSelfType(rule, reading.type) };
    const expression = compileExpression({ text: rule.rule, ...types, result: 'bool' });
    const message =
      rule.messageExpression.trim() === ''
        ? null
        : compileExpression({ text: rule.messageExpression, ...types, result: 'string' });
    if (expression.kind === 'error') problems.push({ rule, field: 'rule', words: expression.error });
    if (message?.kind === 'error') problems.push({ rule, field: 'messageExpression', words: message.error });
    if (expression.kind === 'error' || message?.kind === 'error') continue;
    const path = parseFieldPath(rule.fieldPath, schema, { brackets: 'allowed' });
    const fieldPath = path.kind === 'ok' ? path.value.text : '';
    rules.push({ rule, expression: expression.value, message: message?.value ?? null, fieldPath });
  }
  return { rules, problems };
}

/** Null when neither the schema nor one inside of it has a rule. */
export function compileRuleCheck(schema: SchemaNode, kind: 'resource' | 'value'): RuleCheck | null {
  const own = compileOwnRules(schema, kind);
  const items = schema.items && compileRuleCheck(schema.items, kindOf(schema.items));
  const { additional } = schema;
  const values =
    additional?.kind === 'schema' ? compileRuleCheck(additional.schema, kindOf(additional.schema)) : null;
  const fields = new Map<string, RuleCheck>();
  for (const [name, inner] of schema.properties) {
    const check = compileRuleCheck(inner, kindOf(inner));
    if (check !== null) fields.set(name, check);
  }
  if (own === null && items === null && values === null && fields.size === 0) return null;
  return (subject, run) => {
    if (subject.value === null || run.isOver) return;
    own?.(subject, run);
    if (Array.isArray(subject.value)) checkItems(items, schema, { subject, items: subject.value, run });
    else if (isRecord(subject.value)) checkFields({ fields, values, value: subject.value }, subject, run);
  };
}

function kindOf({ isEmbedded }: SchemaNode): 'resource' | 'value' {
  return isEmbedded ? 'resource' : 'value';
}

type Items = { readonly subject: RuleSubject; readonly items: readonly unknown[]; readonly run: RuleRun };

function checkItems(check: RuleCheck | null, schema: SchemaNode, { subject, items, run }: Items): void {
  if (check === null) return;
  const oldItem = oldItemsOf(schema, subject.old);
  items.forEach((value, index) => check({ value, old: oldItem(value), at: subject.at.index(index) }, run));
}

type Fields = {
  readonly fields: ReadonlyMap<string, RuleCheck>;
  readonly values: RuleCheck | null;
  readonly value: Readonly<Record<string, unknown>>;
};

function checkFields({ fields, values, value }: Fields, { old, at }: RuleSubject, run: RuleRun): void {
  const before = isRecord(old) ? old : {};
  for (const [name, inner] of Object.entries(value)) {
    values?.({ value: inner, old: ownValue(before, name), at: at.key(name) }, run);
    fields.get(name)?.({ value: inner, old: ownValue(before, name), at: at.field(name) }, run);
  }
}

function oldSelfType({ optionalOldSelf }: Rule, type: CelType): CelType {
  return optionalOldSelf === true ? { kind: 'optional', value: type } : type;
}

function compileOwnRules(schema: SchemaNode, kind: 'resource' | 'value'): RuleCheck | null {
  if (schema.rules.length === 0) return null;
  const reading = readingOf(kind === 'resource' ? asResource(schema) : schema);
  if (reading === null)
    return ({ at }, run) => {
      const words =
        'rule compiler initialization error: failed to convert to declType for CEL validation rules';
      run.errors.push(invalid(at.path, schema.type, words));
    };
  const { rules, problems } = compileRules(schema, reading);
  return (subject, run) => {
    for (const { words } of problems)
      run.errors.push(invalid(subject.at.path, schema.type, `rule compile error: ${words}`));
    const self = lazily(() => reading.read(subject.value));
    const oldSelf = lazily(() => reading.read(subject.old));
    for (const rule of rules) {
      if (run.isOver) return;
      checkRule(rule, { ...subject, type: schema.type, self, oldSelf }, run);
    }
  };
}

type RuleAt = RuleSubject & {
  readonly type: string;
  readonly self: () => Value;
  readonly oldSelf: () => Value;
};

function checkRule(compiled: CompiledRule, subject: RuleAt, run: RuleRun): void {
  const { rule, expression } = compiled;
  const hasOld = subject.old !== undefined && subject.old !== null;
  if (expression.usesOldSelf && !hasOld && rule.optionalOldSelf !== true) return;
  const complain = (words: string) => run.errors.push(invalid(subject.at.path, subject.type, words));
  try {
    const variables = { self: subject.self(), oldSelf: oldSelfOf(compiled, subject) };
    const isKept = run.spend((budget) => expression.evaluate(variables, budget)) === true;
    if (run.isSpent) {
      complain(
        'validation failed due to running out of cost budget, no further validation rules will be run',
      );
      run.isOver = true;
    } else if (!isKept && (expression.usesOldSelf || !subject.at.isUnchanged))
      run.errors.push(refusal(compiled, subject, run));
  } catch (error) {
    if (error instanceof CelError) complain(failureWords(error, rule));
    else if (error instanceof CostExceeded) {
      const words = 'no further validation rules will be run due to call cost exceeds limit for rule';
      complain(`'${error.message}': ${words}: ${wordsOf(rule)}`);
      run.isOver = true;
    } else throw error;
  }
}

function oldSelfOf({ rule, expression }: CompiledRule, { old, oldSelf }: RuleAt): Value | undefined {
  if (!expression.usesOldSelf) return undefined;
  const hasOld = old !== undefined && old !== null;
  if (rule.optionalOldSelf === true) return { kind: 'optional', value: hasOld ? oldSelf() : undefined };
  return hasOld ? oldSelf() : undefined;
}

function failureWords({ message }: CelError, rule: Rule): string {
  if (message.startsWith('no such overload'))
    return `'${message}': call arguments did not match a supported operator, function or macro signature for rule: ${wordsOf(rule)}`;
  return `${message} evaluating rule: ${wordsOf(rule)}`;
}

function refusal(compiled: CompiledRule, subject: RuleAt, run: RuleRun): FieldError {
  const { rule, fieldPath } = compiled;
  const detail =
    evaluatedMessage(compiled, subject, run) ?? (rule.message.trim() || `failed rule: ${rule.rule.trim()}`);
  const { at, type } = subject;
  const path = (fieldPath === '' ? at : at.field(fieldPath)).path;
  const value = type === 'object' || type === 'array' ? omitted : subject.value;
  switch (rule.reason) {
    case 'FieldValueForbidden':
      return forbidden(path, detail);
    case 'FieldValueRequired':
      return required(path, detail);
    case 'FieldValueDuplicate':
      return duplicate(path, value);
    default:
      return invalid(path, value, detail);
  }
}

const messageBytesMax = 5 * 1024;

/** Null when there is none or it is not fit to be shown; the message of the rule takes its place then. */
function evaluatedMessage({ message, rule }: CompiledRule, subject: RuleAt, run: RuleRun): string | null {
  // The API server does not hand the optional value to these, so those that need it always fail there.
  if (message === null || (message.usesOldSelf && rule.optionalOldSelf === true)) return null;
  try {
    const hasOld = subject.old !== undefined && subject.old !== null;
    const variables = {
      self: subject.self(),
      oldSelf: message.usesOldSelf && hasOld ? subject.oldSelf() : undefined,
    };
    const value = run.spend((budget) => message.evaluate(variables, budget));
    const text = typeof value === 'string' ? value.trim() : '';
    return text === '' || text.includes('\n') || Buffer.byteLength(text) > messageBytesMax ? null : text;
  } catch (error) {
    if (error instanceof CelError || error instanceof CostExceeded) return null;
    throw error;
  }
}

function wordsOf({ rule, message }: Rule): string {
  return message.trim() || rule.trim();
}

function lazily<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
