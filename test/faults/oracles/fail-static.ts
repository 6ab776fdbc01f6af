// I11: whatever is in doubt, nothing is destroyed: no node is deleted or cordoned, no NoExecute taint is set, and nothing is thrown
// where nobody catches it. Deleted are only objects that the operator makes itself: records, evaluations and workers, which are the
// only pods of these worlds.

import { at, callWords, isOwn, isWriteCall, type Oracle, resources, taintMap } from './oracle.ts';

const own: readonly string[] = [resources.lifecycles, resources.evaluations, resources.pods];

export const failStatic: Oracle = {
  name: 'I11 fail static',
  judge: (run) => [
    ...run.bugs.map((bug) => `thrown: ${bug instanceof Error ? bug.stack : String(bug)}`),
    ...run.calls
      .filter((call) => call.verb === 'delete' && !own.includes(call.resource))
      .map((call) => `${callWords(call)} destroys`),
    ...run.calls
      .filter((call) => isWriteCall(call) && isCordon(call.body))
      .map((call) => `${callWords(call)} cordons`),
    ...run.writes
      .filter((write) => isOwn(write) && write.resource === resources.nodes)
      .flatMap(({ by, key, before, after }) => {
        const had = taintMap(before);
        const gained = [...taintMap(after).keys()].filter((id) => id.endsWith(':NoExecute') && !had.has(id));
        return gained.map((id) => `${by} evicts from ${key} by ${id}`);
      }),
  ],
};

function isCordon(body: unknown): boolean {
  return at(body, 'spec', 'unschedulable') !== undefined;
}
