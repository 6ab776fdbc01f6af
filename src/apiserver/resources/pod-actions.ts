// What is done to a pod beside writing it: it is bound to a node, and it is asked to leave without breaking a budget.

import { err, ok, type Result } from '../../base/result.ts';
import { formatTime } from '../../base/timestamp.ts';
import { isRecord, type RawObject, recordsIn, textOf } from '../../objects/raw.ts';
import { matches, parseSelector } from '../../objects/selector.ts';
import { badRequest, conflict, internalError, notFound, type Refusal } from '../refusal.ts';
import { partOf } from '../registry/definition.ts';
import { sameValue } from '../store/stored-object.ts';
import type { Core } from './core.ts';
import { remove } from './delete.ts';
import { type Outcome, placeOf, subjectOf, successStatus, type Target, type Write } from './request.ts';

const BUDGETS = 'poddisruptionbudgets.policy';

export function bind(core: Core, target: Target, { body, options }: Write): Outcome {
  if (partOf(body, 'metadata')['name'] !== target.name) return err(misnamed('Binding'));
  const { kind = '', name } = partOf(body, 'target');
  const node = textOf(name);
  // Not in the form of a refusal: so it is there.
  if (kind !== '' && kind !== 'Node')
    return err(
      internalError(
        `target.kind: Unsupported value: ${JSON.stringify(kind)}: supported values: "Node", "<empty>"`,
      ),
    );
  if (node === '') return err(internalError('target.name: Required value'));
  const pod = core.store.get(placeOf(target));
  if (pod === undefined) return err(notFound(subjectOf(target)));
  const subject = { ...subjectOf(target), plural: 'pods/binding' };
  const taken = textOf(partOf(pod, 'spec')['nodeName']);
  if (pod.metadata?.deletionTimestamp !== undefined)
    return err(conflict(subject, `pod ${target.name} is being deleted, cannot be assigned to a host`));
  if (taken !== '')
    return err(conflict(subject, `pod ${target.name} is already assigned to node ${JSON.stringify(taken)}`));
  const bound = withCondition(
    { ...pod, spec: { ...partOf(pod, 'spec'), nodeName: node } },
    {
      type: 'PodScheduled',
      status: 'True',
      lastProbeTime: null,
      lastTransitionTime: formatTime(core.clock.now()),
    },
  );
  if (!options.isDryRun) core.store.put(placeOf(target), bound);
  return ok({ code: 201, object: successStatus(201), warnings: [] });
}

export function evict(core: Core, target: Target, { body, options }: Write): Outcome {
  if (partOf(body, 'metadata')['name'] !== target.name) return err(misnamed('Eviction'));
  const pod = core.store.get(placeOf(target));
  if (pod === undefined) return err(notFound(subjectOf(target)));
  const permit = budgetFor(core, target, pod);
  if (permit.kind === 'error') return permit;
  const { gracePeriodSeconds, preconditions, dryRun } = partOf(body, 'deleteOptions');
  const isDryRun = options.isDryRun || (Array.isArray(dryRun) && dryRun.includes('All'));
  if (!isDryRun) {
    if (permit.value !== null) spend(core, target, permit.value);
    const leaving = withCondition(pod, {
      type: 'DisruptionTarget',
      status: 'True',
      lastProbeTime: null,
      lastTransitionTime: formatTime(core.clock.now()),
      reason: 'EvictionByEvictionAPI',
      message: 'Eviction API: evicting',
    });
    if (!sameValue(leaving, pod)) core.store.put(placeOf(target), leaving);
  }
  const gone = remove(core, target, {
    ...(typeof gracePeriodSeconds === 'number' ? { gracePeriodSeconds } : {}),
    ...(isRecord(preconditions) && typeof preconditions['uid'] === 'string'
      ? { uid: preconditions['uid'] }
      : {}),
    isDryRun,
  });
  return gone.kind === 'error' ? gone : ok({ code: 201, object: successStatus(201), warnings: [] });
}

function misnamed(kind: string): Refusal {
  return badRequest(`name in URL does not match name in ${kind} object`);
}

/** The budget that pays for the eviction, null when none needs to. */
function budgetFor(core: Core, target: Target, pod: RawObject): Result<RawObject | null, Refusal> {
  const phase = textOf(partOf(pod, 'status')['phase']);
  if (phase !== 'Running' || pod.metadata?.deletionTimestamp !== undefined) return ok(null);
  const budgets = core.store
    .entries(BUDGETS)
    .map(({ object }) => object)
    .filter((budget) => budget.metadata?.namespace === target.namespace && covers(budget, pod));
  const [budget] = budgets;
  if (budget === undefined) return ok(null);
  if (budgets.length > 1)
    return err(
      internalError(
        'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
      ),
    );
  const { observedGeneration, disruptionsAllowed, desiredHealthy, currentHealthy } = partOf(budget, 'status');
  const name = budget.metadata?.name;
  if (Number(observedGeneration ?? 0) < (budget.metadata?.generation ?? 0))
    return err(tooMany(`The disruption budget ${name} is still being processed by the server.`, 10));
  if (Number(disruptionsAllowed ?? 0) > 0) return ok(budget);
  return err(
    tooMany(
      `The disruption budget ${name} needs ${String(desiredHealthy)} healthy pods and has ${String(currentHealthy)} currently`,
    ),
  );
}

function covers(budget: RawObject, pod: RawObject): boolean {
  const selector = parseSelector(partOf(budget, 'spec')['selector'], 'spec.selector');
  return selector.kind === 'ok' && matches(selector.value, pod.metadata?.labels ?? {});
}

function spend(core: Core, target: Target, budget: RawObject): void {
  const status = partOf(budget, 'status');
  const left = Number(status['disruptionsAllowed'] ?? 0) - 1;
  const now = formatTime(core.clock.now());
  const spent = {
    ...budget,
    status: {
      ...status,
      disruptionsAllowed: left,
      disruptedPods: { ...partOf(status, 'disruptedPods'), [target.name]: now },
    },
  };
  const exhausted = {
    type: 'DisruptionAllowed',
    status: 'False',
    observedGeneration: budget.metadata?.generation,
    lastTransitionTime: now,
    reason: 'InsufficientPods',
    message: '',
  };
  const { namespace } = target;
  const key = `${namespace}/${budget.metadata?.name}`;
  core.store.put({ bucket: BUDGETS, key }, left > 0 ? spent : withCondition(spent, exhausted));
}

/** In the place of the one of its type, with the time at which that became so. */
function withCondition(object: RawObject, condition: Readonly<Record<string, unknown>>): RawObject {
  const status = partOf(object, 'status');
  const had = recordsIn(status['conditions']);
  const index = had.findIndex(({ type }) => type === condition['type']);
  const { status: before, lastTransitionTime } = had[index] ?? {};
  const isSame = index >= 0 && before === condition['status'];
  const next = isSame ? { ...condition, lastTransitionTime } : condition;
  return { ...object, status: { ...status, conditions: index < 0 ? [...had, next] : had.with(index, next) } };
}

function tooMany(message: string, retryAfterSeconds?: number): Refusal {
  return {
    code: 429,
    reason: 'TooManyRequests',
    message: "Cannot evict pod as it would violate the pod's disruption budget.",
    details: {
      causes: [{ reason: 'DisruptionBudget', message }],
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    },
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  };
}
