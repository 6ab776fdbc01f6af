// I8: no object is created or deleted more often than its story explains. A record is created once for each node of its name and
// once more for each time that somebody else took it away; it is deleted by us once for each node of its name that is not the last.

import type { WriteRecord } from '../../../src/sim/faults/records.ts';
import type { Run } from '../run.ts';
import { isOwn, type Oracle, resources } from './oracle.ts';

export const noNeedlessHarm: Oracle = {
  name: 'I8 no needless harm',
  judge(run, reference) {
    const names = new Set(run.writes.filter(isLifecycle).map(({ key }) => key));
    return [...names].flatMap((name) => {
      const wanted = countsOf(reference, name);
      const { nodes, created, deleted, taken } = countsOf(run, name);
      const createdMax = Math.max(wanted.created, nodes + taken);
      const deletedMax = Math.max(wanted.deleted, nodes - 1);
      return [
        ...(created > createdMax
          ? [`record ${name} is created ${created} times instead of ${createdMax}`]
          : []),
        ...(deleted > deletedMax
          ? [`record ${name} is deleted ${deleted} times instead of ${deletedMax}`]
          : []),
      ];
    });
  },
};

function countsOf({ writes }: Run, name: string) {
  const named = writes.filter(({ key }) => key === name);
  const records = named.filter(isLifecycle);
  return {
    nodes: named.filter(({ resource, before }) => resource === resources.nodes && before === null).length,
    created: records.filter((write) => write.before === null && isOwn(write)).length,
    deleted: records.filter((write) => write.after === null && isOwn(write)).length,
    taken: records.filter((write) => write.after === null && !isOwn(write)).length,
  };
}

function isLifecycle({ resource }: WriteRecord): boolean {
  return resource === resources.lifecycles;
}
