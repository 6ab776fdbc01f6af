// I8 for verification: a worker is made for an attempt that was recorded first, an attempt ends before the next begins, a failure is
// counted once for each worker that reported one, and a node is verified anew only when it has booted anew, or a policy was changed or
// deleted and made again: no other cause for a new round is in these stories. Nodes are too many to be read live: who starts on an API server
// that is behind, or leads without the Lease and was stopped for a while, may take an earlier boot for a new one, and the present one
// then for another.

import { workerAnnotations } from '../../../src/api/keys.ts';
import { type RawObject, textOf } from '../../../src/objects/raw.ts';
import type { WriteRecord } from '../../../src/sim/faults/records.ts';
import { isControlPod } from '../workers.ts';
import { at, isOwn, type Oracle, resources } from './oracle.ts';
import { hasEnded } from './verified-first.ts';

export const trueAttempts: Oracle = {
  name: 'I8 true attempts',
  judge({ writes, plan }) {
    const isBehind = plan.leaders !== undefined || plan.rules.some(({ action }) => action.kind === 'serveAt');
    const seen: Seen = {
      isBehind,
      recorded: new Set(),
      failed: new Map(),
      boots: new Map(),
      policies: new Map(),
    };
    return writes.flatMap((write) => {
      const problems = isOwn(write) ? [...judgeWorker(write, seen), ...judgeRecord(write, seen)] : [];
      note(write, seen);
      return problems;
    });
  },
};

type Seen = {
  readonly isBehind: boolean;
  /** Workers that a record has named, by the UID of the node and their name. */
  readonly recorded: Set<string>;
  /** Workers that reported a failure, by the UID of the node and the round. */
  readonly failed: Map<string, Set<string>>;
  /** By the UID of the node. */
  readonly boots: Map<string, Set<string>>;
  /** UIDs and generations of policies, by their name. */
  readonly policies: Map<string, Set<string>>;
};

function note({ resource, key, after }: WriteRecord, { recorded, failed, boots, policies }: Seen): void {
  if (after === null) return;
  if (resource === resources.verifications) addTo(policies, key, incarnationOf(after).join(' '));
  if (resource === resources.lifecycles)
    recorded.add(`${nodeOf(after)} ${textOf(at(after, 'status', 'verification', 'workerPod'))}`);
  if (resource === resources.pods && hasEnded(after, 1) && !isControlPod(after)) {
    const annotation = (name: string) => textOf(at(after, 'metadata', 'annotations', name));
    addTo(failed, `${annotation(workerAnnotations.nodeUID)} ${annotation(workerAnnotations.round)}`, key);
  }
  const bootID = textOf(at(after, 'status', 'nodeInfo', 'bootID'));
  if (resource === resources.nodes && bootID !== '') addTo(boots, after.metadata?.uid ?? '', bootID);
}

function incarnationOf({ metadata = {} }: RawObject): readonly unknown[] {
  return [metadata.uid, metadata.generation];
}

function addTo(sets: Map<string, Set<string>>, key: string, value: string): void {
  sets.set(key, (sets.get(key) ?? new Set()).add(value));
}

function nodeOf(record: unknown): string {
  return textOf(at(record, 'spec', 'nodeUID'));
}

function judgeWorker(write: WriteRecord, { recorded }: Seen): readonly string[] {
  const { resource, by, revision, before, after } = write;
  if (resource !== resources.pods || before !== null || after === null || isControlPod(after)) return [];
  const node = textOf(at(after, 'metadata', 'annotations', workerAnnotations.nodeUID));
  const name = after.metadata?.name ?? '';
  return recorded.has(`${node} ${name}`) ? [] : [`${by} @${revision} makes ${name} before a record names it`];
}

/** Rounds that a node may have had. */
function roundsDue(nodeUID: string, { boots, policies }: Seen): number {
  const changes = [...policies.values()].reduce((sum, uids) => sum + uids.size - 1, 0);
  return (boots.get(nodeUID)?.size ?? 0) + changes;
}

function judgeRecord(write: WriteRecord, seen: Seen): readonly string[] {
  const { isBehind, failed } = seen;
  const { resource, by, revision, key, before, after } = write;
  if (resource !== resources.lifecycles || after === null) return [];
  const number = (record: unknown, field: string) => Number(at(record, 'status', 'verification', field) ?? 0);
  const round = number(after, 'round');
  const failures = failed.get(`${nodeOf(after)} ${round}`)?.size ?? 0;
  const state = textOf(at(before, 'status', 'verification', 'state'));
  const isRunning = state === 'pending' || state === 'in_progress';
  const isSameRound = number(before, 'round') === round;
  const raised = isSameRound ? number(after, 'attempt') - number(before, 'attempt') : 0;
  const isEarly = raised > 1 || (raised === 1 && isRunning);
  const who = `${by} @${revision}`;
  return [
    ...(number(after, 'failedAttempts') > failures
      ? [`${who} counts ${number(after, 'failedAttempts')} failures of ${key}, of ${failures} workers`]
      : []),
    ...(isEarly ? [`${who} begins another attempt on ${key} before the last one has ended`] : []),
    ...(!isBehind && round > roundsDue(nodeOf(after), seen)
      ? [`${who} begins round ${round} on ${key} without a cause`]
      : []),
  ];
}
