// I14: every write that an operator heard the reply of is in its audit log, once, with the object and the resourceVersion; and no
// line of the log speaks of a write that the server does not know.

import { textOf } from '../../../src/objects/raw.ts';
import { isOwn, type Oracle, resources } from './oracle.ts';

export const accountable: Oracle = {
  name: 'I14 accountable',
  judge(run) {
    const own = run.writes.filter(
      (write) =>
        isOwn(write) && write.resource !== resources.leases && write.resource !== resources.storedEvents,
    );
    const lines = run.audits.map(({ instance, fields }) => ({
      instance,
      outcome: textOf(fields['outcome']),
      revision: textOf(fields['resourceVersion']),
    }));
    const done = new Set(
      lines
        .filter(({ outcome }) => outcome === 'done')
        .map(({ instance, revision }) => `${instance} ${revision}`),
    );
    const doubtful = lines.filter(({ outcome }) => outcome === 'unknown').length;
    const unsaid = own.filter(
      (write) =>
        write.after !== null &&
        // A pod that is deleted is marked first, by the same call.
        write.call?.verb !== 'delete' &&
        write.call?.isHeard &&
        !done.has(`${write.by} ${write.revision}`),
    );
    const known = new Set(run.writes.map(({ revision }) => String(revision)));
    return [
      ...(unsaid.length > doubtful
        ? unsaid.map(
            (write) => `${write.by} @${write.revision} ${write.resource}/${write.key} is in no audit line`,
          )
        : []),
      ...lines
        .filter(({ outcome, revision }) => outcome === 'done' && revision !== '' && !known.has(revision))
        .map(({ instance, revision }) => `${instance} claims a write @${revision} that nobody made`),
    ];
  },
};
