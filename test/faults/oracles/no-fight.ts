// I9: writes to one object stay bounded in any minute, those that are carried out and those that are only tried.

import type { Run } from '../run.ts';
import { isAsking, isOwn, isWriteCall, type Oracle, resources } from './oracle.ts';

const WINDOW_MS = 60_000;
/**
 * Each fault may have something said once more, and each life of an operator may try to restore a key this often in a minute before it
 * stands back, and record what it sees.
 */
const WRITES_PER_LIFE = 4;
/**
 * Leaders that all lead also undo each other's changes until each has heard what the others know, and while one of them is held up
 * they tell of a node by turns what each sees of it: each at its pace, four at once and one each five seconds.
 */
const WRITES_AMONG_LEADERS = 16;
/** A node that is verified is recorded more often in a row: twelve at once. */
const RECORDS_AMONG_LEADERS = 24;
/** A report is made every five seconds at most, by each replica that leads. */
const REPORTS_PER_LIFE = 12;
/**
 * Backoff from 5 ms doubles: so many tries fit into a minute, with some to spare for fresh causes. Every change of a node is one
 * for its evaluations, so that there are more of them than a story of Stamps ever had.
 */
const TRIES_PER_LIFE = 40;
/** What is done for one worker of a node is success for the others too: their tries begin anew, 5 ms doubled up to a minute. */
const TRIES_PER_WORKER = 14;

export const noFight: Oracle = {
  name: 'I9 no fight',
  judge(run, reference) {
    const allowed = peaksByKind(writeTimes(reference));
    const lives = new Set(run.calls.map(({ instance }) => instance)).size;
    const perLife = (kind: string) => {
      if (isAsking(kind)) return REPORTS_PER_LIFE;
      if (run.plan.leaders === undefined) return WRITES_PER_LIFE;
      return kind === resources.lifecycles ? RECORDS_AMONG_LEADERS : WRITES_AMONG_LEADERS;
    };
    const writesMax = (key: string) =>
      (allowed.get(kindOf(key)) ?? 0) + run.plan.rules.length + lives * perLife(kindOf(key));
    const tried = peaksByKind(tryTimes(reference));
    const workers = run.writes.filter(
      ({ resource, before }) => resource === resources.pods && before === null,
    );
    const triesMax = (key: string) =>
      (tried.get(kindOf(key)) ?? 0) +
      TRIES_PER_LIFE * lives +
      (key.startsWith('pods/') ? TRIES_PER_WORKER * workers.length : 0);
    return [
      ...over(peaks(writeTimes(run)), writesMax, 'written'),
      ...over(peaks(tryTimes(run)), triesMax, 'tried'),
    ];
  },
};

type Times = ReadonlyMap<string, readonly number[]>;

function writeTimes({ writes }: Run): Times {
  const own = writes.filter((write) => isOwn(write) && write.resource !== resources.leases);
  return grouped(own.map(({ resource, key, atMs }) => ({ key: `${resource}/${key}`, atMs })));
}

function tryTimes({ calls }: Run): Times {
  const tried = calls.filter((call) => isWriteCall(call) && call.resource !== resources.leases);
  return grouped(
    tried.map(({ resource, ref, sentAtMs }) => ({ key: `${resource}/${ref.name}`, atMs: sentAtMs })),
  );
}

function grouped(entries: readonly { readonly key: string; readonly atMs: number }[]): Times {
  const times = new Map<string, number[]>();
  for (const { key, atMs } of entries) {
    const list = times.get(key) ?? [];
    list.push(atMs);
    times.set(key, list);
  }
  return times;
}

/** The most in any window, by object. */
function peaks(times: Times): ReadonlyMap<string, number> {
  return new Map(
    [...times].map(([key, list]) => {
      const sorted = list.toSorted((a, b) => a - b);
      let peak = 0;
      for (let from = 0, to = 0; to < sorted.length; to++) {
        while ((sorted[to] ?? 0) - (sorted[from] ?? 0) >= WINDOW_MS) from++;
        peak = Math.max(peak, to - from + 1);
      }
      return [key, peak];
    }),
  );
}

/** The most of any object of a kind. */
function peaksByKind(times: Times): ReadonlyMap<string, number> {
  const kinds = new Map<string, number>();
  for (const [key, peak] of peaks(times)) kinds.set(kindOf(key), Math.max(peak, kinds.get(kindOf(key)) ?? 0));
  return kinds;
}

function kindOf(key: string): string {
  return key.split('/')[0] ?? '';
}

function over(
  found: ReadonlyMap<string, number>,
  max: (key: string) => number,
  word: string,
): readonly string[] {
  return [...found]
    .filter(([key, count]) => count > max(key))
    .map(([key, count]) => `${key} is ${word} ${count} times in a minute, at most ${max(key)} are due`);
}
