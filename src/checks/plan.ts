// Which checks one worker runs and how, read from untrusted configuration: a plan, or everything that is wrong with it.

import { err, ok, type Problem, type Result } from '../base/result.ts';
import { reportLimits } from '../base/worker-report.ts';
import type { PrepareContext, RunCheck } from './check.ts';
import { checks } from './list.ts';
import { choice, integer, isRecord, number, one, readParams } from './params.ts';
import type { TargetRules } from './targets.ts';

export type PlannedCheck = {
  /** Unique in the plan; the check's name unless one check runs several times. */
  readonly id: string;
  readonly severity: 'required' | 'advisory';
  readonly timeoutMs: number;
  readonly triesMax: number;
  readonly run: RunCheck;
};

export type PlanDefaults = {
  readonly timeoutMs: number;
  readonly triesMax: number;
  readonly targets: TargetRules;
  /** Parameters that hold where a check of that name is given none of its own. */
  readonly params: Readonly<Record<string, unknown>>;
};

export function readPlan(
  raw: unknown,
  defaults: PlanDefaults,
): Result<readonly PlannedCheck[], readonly Problem[]> {
  const path = 'checks';
  if (!Array.isArray(raw) || raw.length === 0)
    return err([{ path, message: 'must be a list with at least one check' }]);
  if (raw.length > reportLimits.checks)
    return err([{ path, message: `must have at most ${reportLimits.checks} checks` }]);
  const entries = raw.map((entry: unknown, index) => readEntry(entry, `${path}[${index}]`, defaults));
  const planned = entries.flatMap((entry) => (entry.kind === 'ok' ? [entry.value] : []));
  const twice = planned.filter(({ id }, index) => planned.findIndex((other) => other.id === id) < index);
  const problems = [
    ...entries.flatMap((entry) => (entry.kind === 'error' ? entry.error : [])),
    ...twice.map(({ id }) => ({ path, message: `has ${id} more than once; give each its own id` })),
  ];
  return problems.length > 0 ? err(problems) : ok(planned);
}

const entryKeys = ['name', 'id', 'severity', 'timeoutSeconds', 'tries', 'params'];

function readEntry(
  raw: unknown,
  path: string,
  defaults: PlanDefaults,
): Result<PlannedCheck, readonly Problem[]> {
  if (!isRecord(raw)) return err([{ path, message: 'must be a map with a name' }]);
  const { name, id = name, params, ...rest } = raw;
  const check = checks.find((each) => each.name === name);
  const at: PrepareContext = { path: `${path}.params`, targets: defaults.targets };
  const run =
    check === undefined ? unknownCheck(path, name) : check.prepare(params ?? defaults.params[check.name], at);
  const settings = readParams(settingsOf(defaults), rest, { ...at, path });
  const problems = [
    ...(run.kind === 'error' ? run.error : []),
    ...(settings.kind === 'error' ? settings.error.map(naming) : []),
    ...idProblems(id, path),
  ];
  if (run.kind === 'error' || settings.kind === 'error' || problems.length > 0) return err(problems);
  const { severity, timeoutSeconds, tries } = settings.value;
  const timeoutMs = timeoutSeconds * 1000;
  return ok({ id: String(id), severity, timeoutMs, triesMax: tries, run: run.value });
}

function settingsOf({ timeoutMs, triesMax }: PlanDefaults) {
  return {
    severity: one(choice(['required', 'advisory']), { default: 'required', help: '' }),
    timeoutSeconds: one(number({ min: 0.1, max: 300 }), { default: timeoutMs / 1000, help: '' }),
    tries: one(integer({ min: 1, max: 10 }), { default: triesMax, help: '' }),
  };
}

/** The list of known keys as the reader of a whole entry has to see it. */
function naming({ path, message }: Problem): Problem {
  return { path, message: message.replace(/known are .*$/, `known are ${entryKeys.join(', ')}`) };
}

function unknownCheck(path: string, name: unknown): { kind: 'error'; error: readonly Problem[] } {
  const known = checks.map((check) => check.name).join(', ');
  return err([
    { path: `${path}.name`, message: `must be one of ${known}, not ${JSON.stringify(name) ?? 'absent'}` },
  ]);
}

function idProblems(id: unknown, path: string): readonly Problem[] {
  const max = reportLimits.idLength;
  const isId = typeof id === 'string' && id.length <= max && /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(id);
  if (isId || id === undefined) return [];
  return [
    {
      path: `${path}.id`,
      message: `must be up to ${max} lower-case letters, digits and dashes, not ${JSON.stringify(id)}`,
    },
  ];
}
