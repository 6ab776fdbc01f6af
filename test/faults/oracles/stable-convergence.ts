// I7: after the last fault the state becomes that of the reference run and stays so, and nothing is written any more.

import { canonical } from '../../../src/base/hash.ts';
import { isRecord } from '../../../src/objects/raw.ts';
import type { EndState } from '../end-state.ts';
import type { Oracle } from './oracle.ts';

export const stableConvergence: Oracle = {
  name: 'I7 stable convergence',
  judge: (run, reference) => [
    ...(run.isQuiet ? [] : [`not silent after ${Math.round(run.endedAtMs / 1000)} s`]),
    ...differences(withoutLists(reference.atRest), withoutLists(run.atRest), ''),
    ...differences(reference.end, run.end, ''),
    ...run.scenario.expect(run.end),
  ],
};

/** What the records list as ours may wait for a sign of life of the node. */
function withoutLists(end: EndState): unknown {
  return Object.fromEntries(
    Object.entries(end).map(([name, object]) => {
      const { owned: _owned, ...status } = isRecord(object.status) ? object.status : {};
      return [name, { ...object, status }];
    }),
  );
}

const SHOWN_MAX = 12;

function differences(wanted: unknown, found: unknown, path: string): readonly string[] {
  if (canonical(wanted) === canonical(found)) return [];
  if (!isRecord(wanted) || !isRecord(found))
    return [`${path || 'the end'} is ${shown(found)} instead of ${shown(wanted)}`];
  const keys = [...new Set([...Object.keys(wanted), ...Object.keys(found)])];
  return keys
    .flatMap((key) => differences(wanted[key], found[key], `${path} ${key}`.trim()))
    .slice(0, SHOWN_MAX);
}

function shown(value: unknown): string {
  return value === undefined ? 'absent' : JSON.stringify(value).slice(0, 200);
}
