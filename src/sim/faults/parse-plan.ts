// Reads a plan from text or plain data. Strict: an unknown field, verb or action is a problem with its path, because a fault
// that was misspelt and never struck would pass for a fault that did no harm.

import { err, ok, type Problem, type Result } from '../../base/result.ts';
import { isRecord } from '../../objects/raw.ts';
import { type FaultAction, type FaultPlan, lives, phases, statusCodes, verbs } from './rule.ts';

export function parsePlan(value: unknown): Result<FaultPlan, readonly Problem[]> {
  const problems = checkFields(value, '', planFields);
  if (problems.length > 0) return err(problems);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- every field was checked above
  return ok(value as FaultPlan);
}

export function parsePlanText(text: string): Result<FaultPlan, readonly Problem[]> {
  try {
    return parsePlan(JSON.parse(text));
  } catch (error) {
    return err([
      { path: '', message: `not JSON: ${error instanceof Error ? error.message : String(error)}` },
    ]);
  }
}

/** Null: fine. Otherwise what the value must be. */
type Check = (value: unknown, path: string) => readonly Problem[];
type Field = { readonly check: Check; readonly isOptional?: boolean };
type Fields = Readonly<Record<string, Field>>;

function checkFields(value: unknown, path: string, fields: Fields): readonly Problem[] {
  if (!isRecord(value)) return [{ path, message: 'must be an object' }];
  const unknown = Object.keys(value).filter((key) => !Object.hasOwn(fields, key));
  return [
    ...unknown.map((key) => ({ path: join(path, key), message: 'is not known here' })),
    ...Object.entries(fields).flatMap(([key, { check, isOptional = false }]) => {
      const at = join(path, key);
      if (value[key] !== undefined) return check(value[key], at);
      return isOptional ? [] : [{ path: at, message: 'is missing' }];
    }),
  ];
}

const join = (path: string, key: string) => (path === '' ? key : `${path}.${key}`);

function oneOf(words: readonly unknown[]): Check {
  return (value, path) =>
    words.includes(value)
      ? []
      : [{ path, message: `must be one of ${words.join(', ')}, not ${JSON.stringify(value)}` }];
}

function whole(min: number, max: number): Check {
  return (value, path) =>
    typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max
      ? []
      : [{ path, message: `must be a whole number from ${min} to ${max}, not ${JSON.stringify(value)}` }];
}

const text: Check = (value, path) =>
  typeof value === 'string' && value !== '' ? [] : [{ path, message: 'must be a text that is not empty' }];

const dayMs = 86_400_000;
const duration: Field = { check: whole(0, dayMs) };

const actions: Readonly<Record<FaultAction['kind'], Fields>> = {
  crash: { restartAfterMs: duration },
  reset: {},
  delay: { ms: duration },
  status: {
    code: { check: oneOf(statusCodes) },
    retryAfterSeconds: { check: whole(0, 3_600), isOptional: true },
  },
  touch: {},
  cut: { ending: { check: oneOf(['reset', 'closed', 'expiredStatus', 'expiredEvent']) } },
  silence: {},
  hide: { msMax: duration },
  duplicate: {},
  lag: { revisions: { check: whole(1, 1_000) }, msMax: duration },
  serveAt: { revisionsBack: { check: whole(1, 1_000) } },
  pause: { ms: duration },
  clock: { byMs: { check: whole(-dayMs, dayMs) } },
  skew: { byMs: { check: whole(-dayMs, dayMs) } },
  rate: { percent: { check: whole(10, 1_000) } },
  unserved: { ms: duration },
};

const kind: Field = { check: oneOf(Object.keys(actions)) };

const checkAction: Check = (value, path) => {
  const named = isRecord(value) ? value['kind'] : undefined;
  const fields = isActionKind(named) ? actions[named] : {};
  return checkFields(value, path, { kind, ...fields });
};

function isActionKind(value: unknown): value is FaultAction['kind'] {
  return typeof value === 'string' && Object.hasOwn(actions, value);
}

const matchFields: Fields = {
  verb: { check: oneOf(verbs) },
  phase: { check: oneOf(phases) },
  resource: { check: text, isOptional: true },
  name: { check: text, isOptional: true },
  instance: { check: text, isOptional: true },
  life: { check: oneOf(lives), isOptional: true },
  nth: { check: whole(1, 1_000_000), isOptional: true },
  times: { check: whole(1, 1_000_000), isOptional: true },
};

const ruleFields: Fields = {
  match: { check: (value, path) => checkFields(value, path, matchFields) },
  action: { check: checkAction },
};

function checkRule(rule: unknown, path: string, index: number): readonly Problem[] {
  const problems = checkFields(rule, path, ruleFields);
  const match = isRecord(rule) ? rule['match'] : undefined;
  const isAlone = index === 0 && isRecord(match) && match['life'] !== undefined;
  return isAlone
    ? [...problems, { path: `${path}.match.life`, message: 'needs a rule before this one' }]
    : problems;
}

const planFields: Fields = {
  leaders: { check: whole(1, 9), isOptional: true },
  rules: {
    check: (value, path) =>
      Array.isArray(value)
        ? value.flatMap((rule, index) => checkRule(rule, `${path}[${index}]`, index))
        : [{ path, message: 'must be a list' }],
  },
};
