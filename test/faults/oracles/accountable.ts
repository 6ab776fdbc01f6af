// I14: every write and every deletion that an operator heard the reply of is in its audit log, once, with the object and the
// resourceVersion; and no line of the log speaks of one that the server does not know. A line that leaves open what became of a
// write stands for one write of that instance to that object, and for none of another.

import { textOf } from '../../../src/objects/raw.ts';
import { formatRef } from '../../../src/objects/ref.ts';
import type { WriteRecord } from '../../../src/sim/faults/records.ts';
import type { Run } from '../run.ts';
import { isOwn, isWriteCall, type Oracle, resources } from './oracle.ts';

export const accountable: Oracle = {
  name: 'I14 accountable',
  judge(run) {
    const lines = linesOf(run);
    return [
      ...unsaidIn(run, lines).map(
        (write) => `${write.by} @${write.revision} ${write.resource}/${write.key} is in no audit line`,
      ),
      ...madeUpIn(run, lines),
      ...miscountedIn(run, lines),
    ];
  },
};

type Line = ReturnType<typeof linesOf>[number];

function linesOf({ audits }: Run) {
  return audits.map(({ instance, fields }) => ({
    instance,
    object: textOf(fields['object']),
    isDeletion: textOf(fields['action']).startsWith('Delete'),
    outcome: textOf(fields['outcome']),
    revision: textOf(fields['resourceVersion']),
  }));
}

function unsaidIn({ writes }: Run, lines: readonly Line[]): readonly WriteRecord[] {
  const said = new Set<string>();
  const doubtful = new Map<string, number>();
  for (const { instance, object, outcome, revision } of lines) {
    const about = `${instance} ${object}`;
    if (outcome === 'done') said.add(`${about} @${revision}`);
    if (outcome === 'unknown') doubtful.set(about, (doubtful.get(about) ?? 0) + 1);
  }
  return writes.filter(isToBeSaid).filter(({ by, call, revision }) => {
    const about = `${by} ${call === null ? '' : formatRef(call.ref)}`;
    if (said.has(`${about} @${revision}`)) return false;
    const doubts = doubtful.get(about) ?? 0;
    doubtful.set(about, doubts - 1);
    return doubts <= 0;
  });
}

/** Lines that name a state of their object that it never had. One that changes nothing is answered with the state of another. */
function madeUpIn({ writes }: Run, lines: readonly Line[]): readonly string[] {
  const states = new Set(
    writes.flatMap(({ revision, call, before }) => {
      if (call === null) return [];
      // What lets go of a deleted object is answered with the object as it was last.
      const known = [String(revision), before?.metadata?.resourceVersion ?? ''];
      return known.map((each) => `${formatRef(call.ref)} @${each}`);
    }),
  );
  return lines
    .filter(({ outcome, isDeletion }) => outcome === 'done' && !isDeletion)
    .filter(({ object, revision }) => !states.has(`${object} @${revision}`))
    .map(({ instance, object, revision }) => `${instance} claims ${object} @${revision}, which never was`);
}

/** Of each object as many writes and deletions are claimed as were done, but for those whose answer was lost: these are left open. */
function miscountedIn({ calls }: Run, lines: readonly Line[]): readonly string[] {
  const counts = new Map<string, { claimed: number; open: number; done: number }>();
  const countOf = (about: string) => {
    const count = counts.get(about) ?? { claimed: 0, open: 0, done: 0 };
    counts.set(about, count);
    return count;
  };
  for (const call of calls.filter((each) => isWriteCall(each) && isSpokenOf(each.resource)))
    if (call.result === 'ok' && call.isHeard) countOf(`${call.instance} ${formatRef(call.ref)}`).done++;
  for (const { instance, object, outcome } of lines) {
    if (outcome === 'done') countOf(`${instance} ${object}`).claimed++;
    if (outcome === 'unknown') countOf(`${instance} ${object}`).open++;
  }
  return [...counts]
    .filter(([, { claimed, open, done }]) => claimed > done || claimed + open < done)
    .map(
      ([about, { claimed, done }]) => `${about}: ${done} writes, of which ${claimed} are in the audit log`,
    );
}

/** Election and Events write for themselves, and often. */
function isSpokenOf(resource: string): boolean {
  return ![resources.leases, resources.events, resources.storedEvents].includes(resource);
}

function isToBeSaid(write: WriteRecord): boolean {
  const { resource, after, call } = write;
  // A pod that is deleted is marked first, by the same call.
  return (
    isOwn(write) &&
    isSpokenOf(resource) &&
    after !== null &&
    call?.verb !== 'delete' &&
    call?.isHeard === true
  );
}
