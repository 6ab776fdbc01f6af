// Looks at the fleet for people: how many nodes of each pool are in which stage, and what happened last. Reads, never writes.

import { nodeLabelKeys, nodeLifecycleType } from '../api/keys.ts';
import { type Stage, stages } from '../api/lifecycle-vocabulary.ts';
import { systemClock } from '../base/clock.ts';
import { silentLog } from '../base/log.ts';
import { systemRandom } from '../base/random.ts';
import type { FleetFacts, Notice } from '../cli/fleet-screen.ts';
import { fieldsOf, type RawObject, textOf, viewOf } from '../objects/raw.ts';
import type { PlannedPool } from '../sim/fleet-plan.ts';
import type { Happening } from '../sim/happening.ts';
import { Mirror } from '../sim/mirror.ts';
import type { WorldApi } from '../sim/world-api.ts';

export type FleetWatchOptions = {
  readonly api: WorldApi;
  readonly pools: readonly PlannedPool[];
  readonly startedAtMs: number;
  readonly onNotice: (notice: Notice) => void;
};

const NOTICES_KEPT = 50;

export class FleetWatch {
  readonly #options: FleetWatchOptions;
  readonly #records: Mirror;
  readonly #stageOf = new Map<string, string>();
  readonly #settled = new Set<string>();
  readonly #failures = new Map<string, string>();
  readonly #notices: Notice[] = [];
  readonly #counts = new Map<string, number>();
  #nodes: Mirror | null = null;

  constructor(options: FleetWatchOptions) {
    this.#options = options;
    const world = { api: options.api, clock: systemClock, random: systemRandom, log: silentLog };
    this.#records = new Mirror({ ...world, selection: { type: nodeLifecycleType } });
    this.#records.onChange(({ kind, key, object }) => {
      if (kind === 'gone') this.#stageOf.delete(key);
      else this.#changed(key, object);
    });
  }

  async start(nodes: Mirror): Promise<void> {
    this.#nodes = nodes;
    await this.#records.start();
  }

  stop(): void {
    this.#records.stop();
  }

  happened({ stage, subject }: Happening): void {
    this.#counts.set(stage, (this.#counts.get(stage) ?? 0) + 1);
    const [kind = '', name = ''] = subject.split(' ');
    if (kind === 'Node') this.#note(name, stage.replace(/^node-/, '').replaceAll('-', ' '));
  }

  /** Whether every node has worked, or failed, once: on a slow machine the first reboots before the last joins. */
  isReady(): boolean {
    const wanted = this.#options.pools.reduce((sum, { size }) => sum + size, 0);
    return this.#settled.size >= wanted;
  }

  /** How many nodes failed their verification. */
  failed(): number {
    return this.#failures.size;
  }

  ready(sentence: string): void {
    this.#note('fleet', sentence);
  }

  facts(): FleetFacts {
    const elapsedMs = systemClock.monotonicMs() - this.#options.startedAtMs;
    return { elapsedMs, notices: this.#notices, pools: this.#poolCounts() };
  }

  happenings(): Readonly<Record<string, number>> {
    return Object.fromEntries([...this.#counts].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  byStage(): Readonly<Partial<Record<Stage, number>>> {
    const count = (stage: Stage) => [...this.#stageOf.values()].filter((each) => each === stage).length;
    return Object.fromEntries(stages.map((stage) => [stage, count(stage)]).filter(([, each]) => each !== 0));
  }

  records(): number {
    return this.#records.size;
  }

  #changed(name: string, object: RawObject): void {
    const status = fieldsOf(object.status);
    const stage = textOf(status['stage']);
    const before = this.#stageOf.get(name);
    this.#verified(name, fieldsOf(status['verification']));
    if (stage === '' || stage === before) return;
    this.#stageOf.set(name, stage);
    if (stage === 'InService') this.#settled.add(name);
    const reason = textOf(status['stageReason']);
    const why = reason === '' || stage === 'InService' ? '' : ` (${reason})`;
    this.#note(name, before === undefined ? `is ${stage}${why}` : `${before} -> ${stage}${why}`);
  }

  /** A node that does not pass its verification is not waited for. */
  #verified(name: string, verification: Readonly<Record<string, unknown>>): void {
    if (verification['state'] !== 'failed') return;
    const words = `failed verification: ${textOf(verification['lastError'])}`;
    const isNews = this.#failures.get(name) !== words;
    this.#failures.set(name, words);
    this.#settled.add(name);
    if (isNews) this.#note(name, words);
  }

  #note(subject: string, text: string): void {
    const atMs = systemClock.monotonicMs() - this.#options.startedAtMs;
    const notice = { atMs, subject, text };
    this.#notices.push(notice);
    if (this.#notices.length > NOTICES_KEPT) this.#notices.shift();
    this.#options.onNotice(notice);
  }

  #poolCounts(): FleetFacts['pools'] {
    const nodes = [...(this.#nodes?.values() ?? [])];
    return this.#options.pools.map(({ name }) => {
      const own = nodes.filter((node) => node.metadata?.labels?.[nodeLabelKeys.pool] === name);
      const byStage = new Map<Stage, number>();
      for (const node of own) {
        const stage = stages.find((each) => each === this.#stageOf.get(viewOf(node).name));
        if (stage !== undefined) byStage.set(stage, (byStage.get(stage) ?? 0) + 1);
      }
      return { name, nodes: own.length, byStage };
    });
  }
}
