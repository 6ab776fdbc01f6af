// From flags to a fleet: pools and stages, or everything that is wrong with what was asked for.

import { randomInt } from 'node:crypto';
import { err, ok, type Problem, type Result } from '../base/result.ts';
import { defaultPools, parsePools, type PlannedPool } from '../sim/fleet-plan.ts';
import type { Stage } from '../sim/stage.ts';
import { builtInStages, readStages, type StageSet } from './stage-files.ts';

export type FleetFlags = {
  readonly nodes: number;
  readonly pools: string;
  readonly seed: number | null;
  readonly stages: string;
};

export type Fleet = {
  readonly pools: readonly PlannedPool[];
  readonly stages: readonly Stage[];
  readonly seed: number;
};

const SEED_MAX = 100_000;

export async function readFleet(
  flags: FleetFlags,
  sets: readonly StageSet[],
): Promise<Result<Fleet, readonly Problem[]>> {
  const pools = flags.pools === '' ? ok(defaultPools(flags.nodes)) : parsePools(flags.pools);
  const own = flags.stages === '' ? [] : [flags.stages];
  const stages = await readStages([...sets.map(builtInStages), ...own]);
  const problems = [
    ...(pools.kind === 'error' ? [{ path: '--pools', message: pools.error }] : []),
    ...(stages.kind === 'error' ? stages.error : []),
  ];
  if (pools.kind === 'error' || stages.kind === 'error') return err(problems);
  return ok({ pools: pools.value, stages: stages.value, seed: flags.seed ?? randomInt(SEED_MAX) });
}
