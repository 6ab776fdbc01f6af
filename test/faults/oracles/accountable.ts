// I14: every write that an operator heard the reply of is in its audit log, once, with the object and the resourceVersion; and no
// line of the log speaks of a write that the server does not know. A line that leaves open what became of a write stands for one
// write of that instance to that object, and for none of another.

import { textOf } from '../../../src/objects/raw.ts';
import { formatRef } from '../../../src/objects/ref.ts';
import type { WriteRecord } from '../../../src/sim/faults/records.ts';
import type { Run } from '../run.ts';
import { isOwn, type Oracle, resources } from './oracle.ts';

export const accountable: Oracle = {
  name: 'I14 accountable',
  judge(run) {
    const lines = linesOf(run);
    const known = new Set(run.writes.map(({ revision }) => String(revision)));
    return [
      ...unsaidIn(run, lines).map(
        (write) => `${write.by} @${write.revision} ${write.resource}/${write.key} is in no audit line`,
      ),
      ...lines
        .filter(({ outcome, revision }) => outcome === 'done' && revision !== '' && !known.has(revision))
        .map(({ instance, revision }) => `${instance} claims a write @${revision} that nobody made`),
    ];
  },
};

type Line = ReturnType<typeof linesOf>[number];

function linesOf({ audits }: Run) {
  return audits.map(({ instance, fields }) => ({
    instance,
    object: textOf(fields['object']),
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

function isToBeSaid(write: WriteRecord): boolean {
  const { resource, after, call } = write;
  const isSpoken = isOwn(write) && resource !== resources.leases && resource !== resources.storedEvents;
  // A pod that is deleted is marked first, by the same call.
  return isSpoken && after !== null && call?.verb !== 'delete' && call?.isHeard === true;
}
