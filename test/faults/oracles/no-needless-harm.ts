// I8: no object is created or deleted, and no gate set or taken away, more often than its story explains. A record is created once
// for each node of its name and once more for each time that somebody else took it away; it is deleted by us once for each node of
// its name that is not the last. An evaluation is created and deleted once for each time that its rule came to select its node, and a
// taint of ours is changed as often as in the calm run. Replicas that all lead at once, which the Lease rules out, undo each other's
// changes until each has heard what the others know; how often is bounded.

import { textOf } from '../../../src/objects/raw.ts';
import type { WriteRecord } from '../../../src/sim/faults/records.ts';
import type { Run } from '../run.ts';
import { capabilityOf } from '../scenario.ts';
import { isSelecting } from './asking.ts';
import { at, isOwn, type Oracle, resources, taintMap } from './oracle.ts';

export const noNeedlessHarm: Oracle = {
  name: 'I8 no needless harm',
  judge: (run, reference) => [
    ...records(run, reference),
    ...evaluations(run, reference),
    ...gates(run, reference),
  ],
};

/**
 * How often leaders that all lead may have undone a change of each other: each life beside the first once, and twice more for each fault
 * that may hold it up, for it hears of evaluations before it hears of their nodes then.
 */
function undoingsIn({ plan, births }: Run): number {
  return plan.leaders === undefined ? 0 : (births.size - 1) * (1 + 2 * plan.rules.length);
}

function records(run: Run, reference: Run): readonly string[] {
  const names = new Set(run.writes.filter(isLifecycle).map(({ key }) => key));
  return [...names].flatMap((name) => {
    const wanted = countsOf(reference, name);
    const { nodes, created, deleted, taken } = countsOf(run, name);
    const createdMax = Math.max(wanted.created, nodes + taken);
    const deletedMax = Math.max(wanted.deleted, nodes - 1);
    return [
      ...tooOften(`record ${name} is created`, created, createdMax),
      ...tooOften(`record ${name} is deleted`, deleted, deletedMax),
    ];
  });
}

function evaluations(run: Run, reference: Run): readonly string[] {
  const count = ({ writes }: Run, isCounted: (write: WriteRecord) => boolean) =>
    counted(
      writes.filter((write) => write.resource === resources.evaluations && isCounted(write)),
      ({ key }) => [key],
    );
  // Nodes are too many to be read live: who starts on an API server that is behind may tell of a node that is gone.
  if (run.plan.rules.some(({ action }) => action.kind === 'serveAt')) return [];
  const isCreated = (write: WriteRecord) => write.before === null && isOwn(write);
  const isDeleted = (write: WriteRecord) => write.after === null && isOwn(write);
  const taken = count(run, (write) => write.after === null && !isOwn(write));
  const met = meetings(run);
  const max = (calm: ReadonlyMap<string, number>, name: string) =>
    Math.max(calm.get(name) ?? 0, met.get(name) ?? 0) + undoingsIn(run);
  const [born, gone] = [count(reference, isCreated), count(reference, isDeleted)];
  return [
    ...[...count(run, isCreated)].flatMap(([name, times]) =>
      tooOften(`evaluation ${name} is created`, times, max(born, name) + (taken.get(name) ?? 0)),
    ),
    ...[...count(run, isDeleted)].flatMap(([name, times]) =>
      tooOften(`evaluation ${name} is deleted`, times, max(gone, name)),
    ),
  ];
}

/** How often each rule came to select each node, by the name of their evaluation. */
function meetings({ writes }: Run): ReadonlyMap<string, number> {
  const rules = new Map<string, unknown>();
  const nodes = new Map<string, unknown>();
  const together = new Set<string>();
  const times = new Map<string, number>();
  const look = (rule: unknown, node: unknown, pair: { readonly id: string; readonly name: string }) => {
    const isMet = isSelecting(rule, node);
    if (isMet && !together.has(pair.id)) times.set(pair.name, (times.get(pair.name) ?? 0) + 1);
    if (isMet) together.add(pair.id);
    else together.delete(pair.id);
  };
  const pairOf = (rule: string, node: string) => ({
    id: `${rule} ${node}`,
    name: `${rule.split('/')[1]}-${node}`,
  });
  for (const { resource, key, after } of writes) {
    if (resource === resources.gateRules || resource === resources.rules) {
      const rule = `${resource}/${key}`;
      rules.set(rule, after);
      for (const [node, object] of nodes) look(after, object, pairOf(rule, node));
    }
    if (resource === resources.nodes) {
      nodes.set(key, after);
      for (const [rule, object] of rules) look(object, after, pairOf(rule, key));
    }
  }
  return times;
}

/**
 * Of readiness alone: a Stamp is no promise that nothing flaps. How long a condition has been so is told by two clocks, that of
 * the node and ours: where ours jumps by an hour or is wrong by minutes, a rule may believe a flap at once.
 */
function gates(run: Run, reference: Run): readonly string[] {
  const isMistimed = run.plan.rules.some(({ action }) => ['clock', 'skew', 'rate'].includes(action.kind));
  if (capabilityOf(run.scenario) !== 'readiness' || (isMistimed && isAnyWaiting(run))) return [];
  const count = ({ writes }: Run) =>
    counted(
      writes.filter((write) => write.resource === resources.nodes && isOwn(write)),
      ({ key, before, after }) => {
        const [had, has] = [taintMap(before), taintMap(after)];
        const turned = [...new Set([...had.keys(), ...has.keys()])].filter(
          (id) => had.has(id) !== has.has(id),
        );
        return turned.map((id) => `${id} of ${key}`);
      },
    );
  const wanted = count(reference);
  return [...count(run)].flatMap(([what, times]) =>
    tooOften(`${what} is set or taken away`, times, (wanted.get(what) ?? 0) + 2 * undoingsIn(run)),
  );
}

function isAnyWaiting({ writes }: Run): boolean {
  return writes.some(({ after }) =>
    ['healthyFor', 'unhealthyFor'].some((field) => at(after, 'spec', field) !== undefined),
  );
}

function counted(
  writes: readonly WriteRecord[],
  keysOf: (write: WriteRecord) => readonly string[],
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const write of writes) for (const key of keysOf(write)) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

function tooOften(what: string, times: number, timesMax: number): readonly string[] {
  return times > timesMax ? [`${what} ${times} times instead of ${timesMax}`] : [];
}

function countsOf(run: Run, name: string) {
  const named = run.writes.filter(({ key }) => key === name);
  const late = lateRecords(run, name);
  const records = named.filter(
    (write) => isLifecycle(write) && !late.has((write.after ?? write.before)?.metadata?.uid ?? ''),
  );
  return {
    nodes: named.filter(({ resource, before }) => resource === resources.nodes && before === null).length,
    created: records.filter((write) => write.before === null && isOwn(write)).length,
    deleted: records.filter((write) => write.after === null && isOwn(write)).length,
    taken: records.filter((write) => write.after === null && !isOwn(write)).length,
  };
}

/**
 * Records that were asked for while their node was there and made after it had gone: whoever sent them was right, and nothing can
 * call a request back. Where somebody starts on an API server that is behind, also those of a node that it cannot know to be gone: nodes are
 * too many to be read live. Neither they nor their end are counted.
 */
function lateRecords({ writes, plan }: Run, name: string): ReadonlySet<string> {
  const isStale = plan.rules.some(({ action }) => action.kind === 'serveAt');
  const goneAtMs = new Map<string, number>();
  const late = new Set<string>();
  for (const write of writes.filter(({ key }) => key === name)) {
    const { resource, before, after, atMs, call } = write;
    if (resource === resources.nodes && after === null) goneAtMs.set(before?.metadata?.uid ?? '', atMs);
    if (!isLifecycle(write) || before !== null || call === null) continue;
    const nodeGoneAtMs = goneAtMs.get(textOf(at(after, 'spec', 'nodeUID')));
    if (nodeGoneAtMs !== undefined && (isStale || call.sentAtMs <= nodeGoneAtMs))
      late.add(after?.metadata?.uid ?? '');
  }
  return late;
}

function isLifecycle({ resource }: WriteRecord): boolean {
  return resource === resources.lifecycles;
}
