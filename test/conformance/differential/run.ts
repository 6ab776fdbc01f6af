// Runs seeded sequences on two targets, several at a time, and tells every difference with the seed that shows it again.

import { until } from '../../control-plane/until.ts';
import type { Target } from '../target.ts';
import { firstDifference, formatDifference } from './compare.ts';
import { sequenceOf } from './generate.ts';
import { openWorld, type World } from './world.ts';

/** The name begins the names of all objects; those of two sides are of one length. The suite's definitions are installed. */
export type Side = { readonly target: Target; readonly name: string };
export type Sides = readonly [Side, Side];

export type Findings = {
  /** One text per sequence that went differently. */
  readonly differences: readonly string[];
  /** How often each operation got which answer: a comparison of refusals alone would prove little. */
  readonly tally: ReadonlyMap<string, number>;
};

// Each sequence ends by watching for a second.
const lanes = 16;

export async function compareTargets(sides: Sides, seeds: readonly number[]): Promise<Findings> {
  const differences: string[] = [];
  const tally = new Map<string, number>();
  const left = [...seeds];
  const work = async (lane: number) => {
    const places = sides.map(({ name }) => `${name}-${lane}`);
    await Promise.all(sides.map(({ target }, index) => makeNamespace(target, places[index] ?? '')));
    for (let seed = left.shift(); seed !== undefined; seed = left.shift()) {
      const difference = await differenceAt(sides, { seed, lane }, tally);
      if (difference !== null) differences.push(difference);
    }
    await Promise.all(
      sides.map(({ target }, index) => target.request('DELETE', `/api/v1/namespaces/${places[index]}`)),
    );
  };
  await Promise.all(Array.from({ length: Math.min(lanes, seeds.length) }, (_, lane) => work(lane)));
  return { differences, tally };
}

type Run = { readonly seed: number; readonly lane: number };

async function differenceAt(sides: Sides, run: Run, tally: Map<string, number>): Promise<string | null> {
  const worlds = await Promise.all([worldOf(sides[0], run), worldOf(sides[1], run)]);
  try {
    const difference = await firstDifference(worlds, sequenceOf(run.seed), ({ kind }, { status }) => {
      const line = `${kind} ${status}`;
      tally.set(line, (tally.get(line) ?? 0) + 1);
    });
    return difference === null ? null : formatDifference(run.seed, worlds, difference);
  } finally {
    await Promise.all(worlds.map((world) => world.leave()));
  }
}

// A namespace to itself while it runs: pages of a list show what stands between the objects of a sequence.
function worldOf({ target, name }: Side, { seed, lane }: Run): Promise<World> {
  return openWorld(target, { namespace: `${name}-${lane}`, prefix: `${name}${seed}` });
}

async function makeNamespace(target: Target, name: string): Promise<void> {
  await target.request('POST', '/api/v1/namespaces', { body: { metadata: { name } } });
  const account = `/api/v1/namespaces/${name}/serviceaccounts/default`;
  await until('the account that pods need is there', 30_000, async () =>
    (await target.request('GET', account)).status === 200 ? true : undefined,
  );
}
