// The phases of a run, the same for everybody who gates: all nodes gated, all released, a steady churn, single changes, and
// nothing at all. Each says how long it took, how soon each change was seen, and what it cost.

import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import {
  type MachineFigures,
  readMachineFigures,
  stolenShare,
  untilMachineIsOurs,
} from '../cluster/machine-figures.ts';
import type { ProcessFigures } from '../cluster/process-figures.ts';
import { readProcessFigures } from '../cluster/process-figures.ts';
import { say } from '../cluster/progress.ts';
import { type Shares, sharesIn } from '../cluster/shares.ts';
import { isWrite, type Memory, otherRequestsIn, whatOf, writesIn } from '../cluster/operator.ts';
import { growthBy, type Pages, type Sample } from '../cluster/samples.ts';
import { atRate, eachOf, type Verdict } from './fleet.ts';
import { type ServerTimes, serverTimes } from './server-times.ts';
import { patienceMs, type Stage, startServerAnew, untilSettled } from './stage.ts';
import { lagsOf } from './status-lag.ts';

export type PhaseName = 'add' | 'remove' | 'churn' | 'single' | 'quiet' | 'relist';

export type PhaseFigures = ServerTimes & {
  readonly phase: PhaseName;
  /** How often it was played; the figures are of the time when least was stolen. */
  readonly tries: number;
  readonly wallMs: number;
  /** Until the last node: which part of its time the machine did not have, and what all processes on it spent together. */
  readonly stolen: number;
  readonly machineMs: number;
  /** What the same piece of work took meanwhile: how slow the machine was. Null if that was too short to tell. */
  readonly beatMs: number | null;
  /** Who spent it. */
  readonly sharesUntilLast: Shares;
  /** From the write of a condition, or from the word to begin, to the node as the bench's own watch shows it. */
  readonly latenciesMs: readonly number[];
  /** From the write of a condition to a status that counts it, for each rule; empty where nobody writes one. */
  readonly lagsMs: readonly number[];
  readonly cpuMs: number;
  /** Of that, until the last node was as it should be. */
  readonly cpuMsUntilLast: number;
  readonly rssPeakBytes: number;
  /** Of the operator since its start. */
  readonly memory: Memory | null;
  /** By verb and resource; Leases are not counted. Empty where nobody can be asked. */
  readonly writes: ReadonlyMap<string, number>;
  /** Of these, what was written until the last node was as it should be: all of it made nodes wait. */
  readonly writesUntilLast: ReadonlyMap<string, number>;
  readonly otherRequestsUntilLast: ReadonlyMap<string, number>;
  /** Keys worked on, by queue: how often the operator looked at something. */
  readonly looks: ReadonlyMap<string, number>;
  readonly looksUntilLast: ReadonlyMap<string, number>;
  /** Writes that failed for good, and answers of 429, by resource. */
  readonly failures: ReadonlyMap<string, number>;
};

const churnShare = 0.05;
const singleGapMs = 100;
const fightMs = 60_000;
const findMs = 10_000;
const statusMsMax = 60_000;
/** Others on the host are waited for so long. */
const othersMsMax = 60_000;
const isTimed = (phase: PhaseName) => phase !== 'quiet' && phase !== 'relist';

type Times = Pick<PhaseFigures, 'wallMs' | 'latenciesMs' | 'lagsMs'>;
/** When the last node was as it should be. */
type Observed = Times & { readonly last: Spent };

/**
 * What one change takes is a matter of milliseconds, which a machine that has been lent to others for a while does not show: such a phase
 * is played again until the machine was ours. Of a burst a little may be stolen, because that is taken off.
 */
const patience: Readonly<Partial<Record<PhaseName, Patience>>> = {
  remove: { tries: 2, stolen: 0.05 },
  churn: { tries: 6, stolen: 0.02 },
  single: { tries: 6, stolen: 0.02 },
};
type Patience = { readonly tries: number; readonly stolen: number };
const once: Patience = { tries: 1, stolen: 1 };

/** Of the others nothing is judged but their bursts, against which the operator's are held. */
function patienceWith(phase: PhaseName, { plan, actor }: Stage): Patience {
  const isJudged = plan.areBudgetsChecked && (actor.scrape !== null || phase === 'remove');
  return (isJudged ? patience[phase] : undefined) ?? once;
}

export async function runPhase(phase: PhaseName, stage: Stage): Promise<PhaseFigures> {
  let best = await playPhase(phase, stage);
  let tries = 1;
  const max = patienceWith(phase, stage);
  for (; best.stolen > max.stolen && tries < Math.min(max.tries, stage.plan.tries); tries += 1) {
    say(`${stage.actor.name}: ${phase} is played again, ${Math.round(best.stolen * 100)} % were stolen`);
    // The operator takes the same change of a node for a fight when it is made four times in a minute.
    await (phase === 'remove' ? gateAgain(stage) : pause(fightMs));
    const again = await playPhase(phase, stage);
    if (again.stolen < best.stolen) best = again;
  }
  return { ...best, tries };
}

/** The release of all nodes is the one phase that does not end as it began. */
async function gateAgain(stage: Stage): Promise<void> {
  const { fleet, plan } = stage;
  await flip(stage, { names: fleet.names, status: 'False', from: fleet.names.length }, (report) =>
    eachOf(fleet.names, plan.concurrency, report),
  );
  await untilSettled(stage);
}

/**
 * An operator that has just been started writes a record of each node before it gates any, which makes the API server dearer for what
 * comes next, and the bare client writes nothing. So everybody begins before one that has just been started, and is given time to find it.
 */
async function beginOnFreshServer(stage: Stage): Promise<void> {
  if (stage.restartServer === null) return;
  await startServerAnew(stage);
  if (stage.plan.areBudgetsChecked) await pause(findMs);
}

/**
 * The API server gets dearer while it runs, and between a gating and a release the operator writes for minutes what nobody else writes.
 * So everybody releases before one that has just been started. That one node is released and gated shows that everybody follows it.
 */
async function turnToFreshServer(stage: Stage): Promise<void> {
  const names = stage.fleet.names.slice(0, 1);
  await startServerAnew(stage);
  await flip(stage, { names, status: 'True', from: 0 }, (report) => eachOf(names, 1, report));
  await flip(stage, { names, status: 'False', from: 1 }, (report) => eachOf(names, 1, report));
  await untilSettled(stage);
}

async function playPhase(phase: PhaseName, stage: Stage): Promise<PhaseFigures> {
  const { actor, plan } = stage;
  if (phase === 'add') await beginOnFreshServer(stage);
  if (phase === 'remove') await turnToFreshServer(stage);
  // At rest is what comes after everything that was put off.
  if (phase === 'quiet')
    await actor.untilCalm(plan.calmSeconds * 1_000, statusMsMax + plan.calmSeconds * 4_000);
  if (plan.areBudgetsChecked && isTimed(phase)) await untilMachineIsOurs(othersMsMax);
  const before = await marksOf(stage);
  const { last, ...times } = await phases[phase](stage);
  // What is reported later is a part of the cost.
  if (phase !== 'quiet') await untilSettled(stage);
  const after = await marksOf(stage);
  const pages = { before: before.samples, after: after.samples };
  return {
    phase,
    tries: 1,
    ...times,
    ...serverTimes({ before: before.server, after: after.server }),
    cpuMs: after.process.cpuMs - before.process.cpuMs,
    stolen: stolenShare(before.machine, last.machine),
    machineMs: last.machine.busyMs - before.machine.busyMs,
    beatMs: stage.pulse.msBetween(before.beats, last.beats),
    sharesUntilLast: sharesIn(before.shares, last.shares),
    cpuMsUntilLast: last.process.cpuMs - before.process.cpuMs,
    rssPeakBytes: after.process.rssPeakBytes,
    memory: (await actor.memory?.()) ?? null,
    writes: writesIn(pages),
    writesUntilLast: writesIn({ before: before.samples, after: last.samples }),
    otherRequestsUntilLast: otherRequestsIn({ before: before.samples, after: last.samples }),
    looks: looksIn(pages),
    looksUntilLast: looksIn({ before: before.samples, after: last.samples }),
    failures: growthBy('muster_api_requests_total', pages, (labels) =>
      // A conflict is decided anew, and what is gone need not be written.
      isWrite(labels) && !/^2|^404|^409/.test(labels['code'] ?? '')
        ? `${whatOf(labels)} ${labels['code']}`
        : null,
    ),
  };
}

function looksIn(pages: Pages): ReadonlyMap<string, number> {
  return growthBy('muster_work_total', pages, ({ queue = '' }) => queue);
}

type Spent = {
  readonly beats: number;
  readonly machine: MachineFigures;
  readonly shares: Shares;
  readonly process: ProcessFigures;
  readonly samples: readonly Sample[];
};
type Marks = Spent & { readonly server: readonly Sample[] };

async function marksOf(stage: Stage): Promise<Marks> {
  // First, because the page of the API server costs the machine something itself.
  const server = await stage.serverSamples();
  return { ...(await spentBy(stage)), server };
}

async function spentBy({ actor: { pid, scrape }, readShares, pulse }: Stage): Promise<Spent> {
  const beats = pulse.count;
  const machine = await readMachineFigures();
  const shares = await readShares();
  const samples = scrape === null ? [] : await scrape();
  return { beats, machine, shares, process: await readProcessFigures(pid), samples };
}

const phases: Readonly<Record<PhaseName, (stage: Stage) => Promise<Observed>>> = {
  async add(stage) {
    const { plan, fleet, watch, actor, hasStatus } = stage;
    const startedMs = performance.now();
    for (const name of fleet.names) watch.expect(name, { gates: plan.rules, sentAtMs: startedMs });
    await actor.begin();
    const seen = await watch.allSeen(patienceMs(plan));
    const last = await spentBy(stage);
    if (hasStatus) await watch.counted(0, statusMsMax);
    return { ...timesOf(seen, startedMs), lagsMs: [], last };
  },

  async remove(stage) {
    const { plan, fleet } = stage;
    const observed = await flip(stage, { names: fleet.names, status: 'True', from: 0 }, (report) =>
      eachOf(fleet.names, plan.concurrency, report),
    );
    return observed;
  },

  async churn(stage) {
    const { plan, fleet } = stage;
    const names = fleet.names.slice(0, Math.max(1, Math.round(fleet.names.length * churnShare)));
    const paced = (report: (name: string) => Promise<void>) => atRate(names, plan.churnPerSecond, report);
    return thereAndBack(stage, names, paced);
  },

  async single(stage) {
    const { plan, fleet, watch } = stage;
    const names = fleet.names.slice(-plan.singles);
    return thereAndBack(stage, names, async (report) => {
      for (const name of names) {
        await report(name);
        while (watch.isWaitingFor(name)) await pause(1);
        await pause(singleGapMs);
      }
    });
  },

  async quiet(stage) {
    const startedMs = performance.now();
    await pause(stage.plan.quietSeconds * 1_000);
    const wallMs = performance.now() - startedMs;
    return { wallMs, latenciesMs: [], lagsMs: [], last: await spentBy(stage) };
  },

  async relist(stage) {
    const startedMs = performance.now();
    for (let relist = 0; relist < stage.plan.relists; relist += 1) await startServerAnew(stage);
    const wallMs = performance.now() - startedMs;
    return { wallMs, latenciesMs: [], lagsMs: [], last: await spentBy(stage) };
  },
};

type Flip = { readonly names: readonly string[]; readonly status: Verdict; readonly from: number };
type SendAll = (report: (name: string) => Promise<void>) => Promise<void>;

async function thereAndBack(stage: Stage, names: readonly string[], sendAll: SendAll): Promise<Observed> {
  const all = stage.fleet.names.length;
  const there = await flip(stage, { names, status: 'False', from: all }, sendAll);
  const back = await flip(stage, { names, status: 'True', from: all - names.length }, sendAll);
  return {
    wallMs: there.wallMs + back.wallMs,
    latenciesMs: [...there.latenciesMs, ...back.latenciesMs],
    lagsMs: [...there.lagsMs, ...back.lagsMs],
    last: back.last,
  };
}

async function flip(stage: Stage, { names, status, from }: Flip, sendAll: SendAll): Promise<Observed> {
  const { plan, fleet, watch, hasStatus } = stage;
  const direction = status === 'True' ? 1 : -1;
  const sentAtMs: number[] = [];
  const startedMs = performance.now();
  await sendAll((name) => {
    const atMs = performance.now();
    sentAtMs.push(atMs);
    watch.expect(name, { gates: status === 'True' ? 0 : plan.rules, sentAtMs: atMs });
    return fleet.report(name, status);
  });
  const seen = await watch.allSeen(patienceMs(plan));
  const last = await spentBy(stage);
  const counts = hasStatus ? await watch.counted(from + direction * names.length, statusMsMax) : [];
  return {
    ...timesOf(seen, startedMs),
    lagsMs: counts.flatMap((ofRule) => lagsOf({ sentAtMs, from, direction }, ofRule)),
    last,
  };
}

function timesOf(seen: readonly { readonly latencyMs: number; readonly atMs: number }[], startedMs: number) {
  return {
    wallMs: Math.max(...seen.map(({ atMs }) => atMs)) - startedMs,
    latenciesMs: seen.map(({ latencyMs }) => latencyMs),
  };
}
