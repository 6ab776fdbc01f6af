// I6: one record per node and incarnation, one evaluation per rule and node, one Event per thing said, and every name follows from
// what it is about.

import { workerAnnotations } from '../../../src/api/keys.ts';
import { isRecord, recordsIn, textOf } from '../../../src/objects/raw.ts';
import { worldStart } from '../../../src/sim/faults/instance-clock.ts';
import type { Run } from '../run.ts';
import { isControlPod } from '../workers.ts';
import { at, callWords, isOwn, type Oracle, resources } from './oracle.ts';

/** The same is said once in ten minutes. */
const SERIES_MS = 600_000;

export const atMostOne: Oracle = {
  name: 'I6 at most one',
  judge: (run) => [
    ...doubleRecords(run),
    ...doubleEvaluations(run),
    ...doubleWorkers(run),
    ...doubleEvents(run),
    ...generated(run),
  ],
};

function doubleRecords({ writes }: Run): readonly string[] {
  const living = new Map<string, number>();
  return writes.flatMap((write) => {
    if (write.resource !== resources.lifecycles) return [];
    const uid = textOf(at(write.after ?? write.before, 'spec', 'nodeUID'));
    if (write.after === null) living.set(uid, (living.get(uid) ?? 0) - 1);
    if (write.before !== null) return [];
    const count = (living.get(uid) ?? 0) + 1;
    living.set(uid, count);
    const isNamed = at(write.after, 'spec', 'nodeName') === write.key;
    return [
      ...(count > 1 ? [`${write.by} @${write.revision}: ${count} records of the node ${uid}`] : []),
      ...(isNamed ? [] : [`${write.by} @${write.revision}: record ${write.key} is not named after its node`]),
    ];
  });
}

function doubleEvaluations({ writes }: Run): readonly string[] {
  const living = new Map<string, string>();
  return writes.flatMap(({ resource, key, by, revision, before, after }) => {
    if (resource !== resources.evaluations) return [];
    if (after === null) living.delete(subjectOf(before));
    if (after === null || before !== null) return [];
    const subject = subjectOf(after);
    const other = living.get(subject);
    living.set(subject, key);
    return other === undefined ? [] : [`${by} @${revision}: ${key} and ${other} both tell of ${subject}`];
  });
}

/**
 * One worker per attempt, and one at a time on a node: one that has ended or is being deleted has no say any more. One that somebody else took away is made again, but once. Records are too many
 * to be read live: who starts on an API server that is behind, or leads without the Lease, may make a worker again whose attempt
 * has ended; and the former one beside another of which it has not heard.
 */
function doubleWorkers({ writes, plan }: Run): readonly string[] {
  const isStale = plan.rules.some(({ action }) => action.kind === 'serveAt');
  const isBehind = plan.leaders !== undefined || isStale;
  const goneAtMs = new Map<string, number>();
  const takenTimes = new Map<string, number>();
  const living = new Map<string, string>();
  return writes.flatMap((write) => {
    const { resource, key, by, revision, atMs, call, before, after } = write;
    if (resource !== resources.pods || isControlPod(after ?? before)) return [];
    const node = textOf(at(after ?? before, 'metadata', 'annotations', workerAnnotations.nodeUID));
    const isLeaving = after === null || after.metadata?.deletionTimestamp !== undefined;
    const isTaken = isLeaving && before?.metadata?.deletionTimestamp === undefined && !isOwn(write);
    if (isTaken) takenTimes.set(key, (takenTimes.get(key) ?? 0) + 1);
    const hasEnded = ['Succeeded', 'Failed'].includes(textOf(at(after, 'status', 'phase')));
    if ((isLeaving || hasEnded) && living.get(node) === key) living.delete(node);
    if (after === null) goneAtMs.set(key, atMs);
    if (after === null || before !== null) return [];
    const other = living.get(node);
    living.set(node, key);
    // One that was asked for before the first had gone, and came late, is nobody's second thought.
    const isLate = (call?.sentAtMs ?? 0) <= (goneAtMs.get(key) ?? -1);
    const isAgain = goneAtMs.has(key) && !isLate && takenTimes.get(key) !== 1;
    const isBeside = other !== undefined && !isLate && !isStale;
    return [
      ...(isBeside ? [`${by} @${revision}: ${key} and ${other} both check one node`] : []),
      ...(isAgain && !isBehind ? [`${by} @${revision} makes ${key} a second time`] : []),
    ];
  });
}

function subjectOf(evaluation: unknown): string {
  const [owner] = recordsIn(at(evaluation, 'metadata', 'ownerReferences'));
  const [rule, node] = ['ruleName', 'nodeName'].map((field) => textOf(at(evaluation, 'spec', field)));
  return `${textOf(owner?.['kind'])} ${rule} on ${node}`;
}

function doubleEvents({ writes }: Run): readonly string[] {
  const said = new Set<string>();
  return writes.flatMap((write) => {
    if (write.resource !== resources.storedEvents || write.before !== null || !isOwn(write)) return [];
    const after = write.call?.body;
    const clock = Date.parse(textOf(at(after, 'eventTime')));
    const period = Math.floor((Number.isNaN(clock) ? worldStart : clock) / SERIES_MS);
    const parts = ['reason', 'action', 'note', 'type'].map((field) => textOf(at(after, field)));
    const key = [textOf(at(after, 'regarding', 'uid')), ...parts, period].join('|');
    const isNew = !said.has(key);
    said.add(key);
    return isNew ? [] : [`${write.by} @${write.revision} says twice: ${key}`];
  });
}

function generated({ calls }: Run): readonly string[] {
  return calls.flatMap((call) =>
    call.verb === 'create' && isRecord(at(call.body, 'metadata')) && at(call.body, 'metadata', 'generateName')
      ? [`${callWords(call)} lets the server choose a name`]
      : [],
  );
}
