// I3: whoever keeps pods away from a node in service does so within the brake. Counted with that node, the nodes in service of its
// pool that are gated by us are at most as many as the policy allows, and neither a pause nor a hold stands against it. Held against
// a sender is only what it can have known when it decided: of policies the most permissive of those since the newest that it had
// heard of, of gates its own and those that it had heard of. So each of several leaders alone stays within the brake, and all of
// them together within as many times that as there are leaders.

import { disruptionPolicyType } from '../../../src/api/keys.ts';
import { recordsIn, textOf } from '../../../src/objects/raw.ts';
import { resourceName } from '../../../src/objects/ref.ts';
import type { WriteRecord } from '../../../src/sim/faults/records.ts';
import type { Run } from '../run.ts';
import { decidedAtMs, newestHeard, type Sender } from './knowledge.ts';
import { at, isOwn, type Oracle, resources, taintMap } from './oracle.ts';

export const withinBrake: Oracle = {
  name: 'I3 within the brake',
  judge(run) {
    const watcher = new Watcher(run);
    return run.writes.flatMap((write) => watcher.see(write));
  },
};

const policies = resourceName(disruptionPolicyType);
/** As people are told: without a policy a quarter of a pool, or ten nodes where that is more. */
const defaults = { percent: 25, nodes: 10 };

/** Who wrote something, and when: whoever else acts upon it must have heard of it. */
type Origin = Pick<WriteRecord, 'by' | 'revision'>;
type Release = Origin & { readonly nodeUID: string; readonly atMs: number };
type Version = { readonly revision: number; readonly atMs: number; readonly policy: unknown };

class Watcher {
  readonly #run: Run;
  readonly #nodes = new Map<string, unknown>();
  /** Of nodes that carry a gate of ours: who set the first. */
  readonly #gates = new Map<string, Origin>();
  /** Of nodes that have been without one: who recorded it. */
  readonly #releases = new Map<string, Release>();
  readonly #versions: Version[] = [{ revision: 0, atMs: 0, policy: null }];

  constructor(run: Run) {
    this.#run = run;
  }

  see(write: WriteRecord): readonly string[] {
    const { resource, revision, atMs, after } = write;
    if (resource === policies) this.#versions.push({ revision, atMs, policy: after });
    if (resource === resources.lifecycles) this.#seeRecord(write);
    return resource === resources.nodes ? this.#seeNode(write) : [];
  }

  #seeRecord({ key, by, revision, atMs, after }: WriteRecord): void {
    const nodeUID = textOf(at(after, 'spec', 'nodeUID'));
    const isReleased = at(after, 'status', 'firstReleasedAt') !== undefined;
    if (!isReleased) this.#releases.delete(key);
    else if (this.#releases.get(key)?.nodeUID !== nodeUID)
      this.#releases.set(key, { by, revision, nodeUID, atMs });
  }

  #seeNode(write: WriteRecord): readonly string[] {
    const { key, by, revision, before, after, call } = write;
    this.#nodes.set(key, after);
    const had = this.#gatesOf(before);
    const has = this.#gatesOf(after);
    if (has.length === 0) this.#gates.delete(key);
    if (!isOwn(write) || call === null || this.#gates.has(key) || has.every((id) => had.includes(id)))
      return [];
    this.#gates.set(key, { by, revision });
    const sender = { instance: by, decidedAtMs: decidedAtMs(this.#run, call) };
    if (!this.#isInService(key, sender)) return [];
    const objections = this.#known(sender).map((policy) => this.#objection(policy, key, sender));
    return objections.includes(null) ? [] : [`${by} gates ${key} although ${objections.at(-1)}`];
  }

  #gatesOf(node: unknown): readonly string[] {
    const { taints } = this.#run.scenario.ours;
    return [...taintMap(node).keys()].filter(
      (id) => taints.includes(id) && /:No(Schedule|Execute)$/.test(id),
    );
  }

  #isInService(node: string, sender: Sender): boolean {
    const release = this.#releases.get(node);
    return (
      release !== undefined &&
      release.nodeUID === at(this.#nodes.get(node), 'metadata', 'uid') &&
      // A gate that was sent before that, and arrived late, took nothing away when it was decided.
      (release.by !== sender.instance || release.atMs <= sender.decidedAtMs) &&
      this.#hasHeard(sender, resources.lifecycles, { ...release, node })
    );
  }

  #hasHeard(sender: Sender, resource: string, { by, revision, node }: Origin & { node: string }): boolean {
    return by === sender.instance || newestHeard(this.#run, sender, { resource, name: node }) >= revision;
  }

  /** The policies that the sender can have gone by; null where there was none. */
  #known(sender: Sender): readonly unknown[] {
    const { births, calls } = this.#run;
    const heard = newestHeard(this.#run, sender, { resource: policies });
    // Who begins to lead lists the policy live.
    const bornMs = births.get(sender.instance) ?? 0;
    const first = this.#versions.findLastIndex(({ revision, atMs }) =>
      heard > 0 ? revision <= heard : atMs <= bornMs,
    );
    const known = this.#versions.slice(first).map(({ policy }) => policy);
    // Who was told from the start that there is no such kind cannot know that there is a policy.
    const isUnknown = calls.some(
      ({ instance, resource, result }) =>
        instance === sender.instance && resource === policies && result === 'NotFound',
    );
    return heard === 0 && isUnknown ? [null, ...known] : known;
  }

  /** What a policy has against one more gate, this one; null when it has nothing. */
  #objection(policy: unknown, node: string, sender: Sender): string | null {
    const spec = at(policy, 'spec');
    if (at(spec, 'authority') === 'observe') return 'the authority is to observe';
    if (recordsIn(at(spec, 'holds')).some((hold) => stands(hold) && hold['node'] === node))
      return 'the node is held';
    if (recordsIn(at(spec, 'pauseRequests')).some(stands)) return 'gating is paused';
    const peers = [...this.#nodes.keys()].filter((name) => this.#poolOf(name) === this.#poolOf(node));
    const gated = peers.filter((name) => {
      const gate = this.#gates.get(name);
      return (
        gate !== undefined &&
        this.#isInService(name, sender) &&
        this.#hasHeard(sender, resources.nodes, { ...gate, node: name })
      );
    });
    const max = gatedMax(at(spec, 'gating'), peers.length);
    return gated.length <= max ? null : `${gated.join()} are gated then, and ${max} may be`;
  }

  #poolOf(node: string): unknown {
    return at(this.#nodes.get(node), 'metadata', 'labels', 'pool');
  }
}

/** The larger of both numbers. */
function gatedMax(gating: unknown, size: number): number {
  const [percent, nodes] = [at(gating, 'percent'), at(gating, 'nodes')];
  return Math.max(
    Math.floor((size * (typeof percent === 'number' ? percent : defaults.percent)) / 100),
    typeof nodes === 'number' ? nodes : defaults.nodes,
  );
}

function stands(standing: Readonly<Record<string, unknown>>): boolean {
  if (standing['until'] !== undefined) throw new Error('the model of a policy does not know until');
  return true;
}
