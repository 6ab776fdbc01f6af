// I5: a gate of ours leaves a node only if, since it was set, there was a moment at which nobody asked for it. And a key whose only
// proof is the record stands in the record of this very node before it stands on the node. Two things are excused while word of who
// asks is under way: to lift a gate that was never set on behalf of who asks, for no gate of theirs is passed by yet; and replicas
// that all lead at once, which the Lease rules out, for nothing makes them read live what another has acted upon.

import { canonical } from '../../../src/base/hash.ts';
import { annotationKeys, nodeReadinessGateRuleType, nodeReadinessRuleType } from '../../../src/api/keys.ts';
import { parseOwned } from '../../../src/objects/owned.ts';
import { isRecord, recordsIn, textOf } from '../../../src/objects/raw.ts';
import type { WriteRecord } from '../../../src/sim/faults/records.ts';
import { stampType } from '../../support/stamp-type.ts';
import type { Run } from '../run.ts';
import { isMarked, keysAskedOn, keysNamed, taintAsked } from './asking.ts';
import { at, isAsking, isOwn, type Oracle, resources, stringMap, taintMap } from './oracle.ts';

export const noGateBypass: Oracle = {
  name: 'I5 no gate bypass',
  judge(run) {
    const watcher = new Watcher(run);
    return run.writes.flatMap((write) => watcher.see(write));
  },
};

/** Keys that every Stamp which asks for them wants proven by the record. */
function recordKeys({ writes }: Run): ReadonlySet<string> {
  const proofs = new Map<string, Set<string>>();
  for (const { resource, after } of writes) {
    if (resource !== resources.stamps) continue;
    const proof = textOf(at(after, 'spec', 'proof')) || 'object';
    for (const key of keysNamed(after)) proofs.set(key, (proofs.get(key) ?? new Set()).add(proof));
  }
  return new Set([...proofs].filter(([, set]) => !set.has('object')).map(([key]) => key));
}

type Asker = {
  readonly resource: string;
  readonly name: string;
  readonly object: unknown;
  /** When what it asks for last changed, by revision. */
  readonly since: number;
};

class Watcher {
  readonly #run: Run;
  readonly #recordKeys: ReadonlySet<string>;
  readonly #askers = new Map<string, Asker>();
  readonly #nodes = new Map<string, unknown>();
  readonly #lifecycles = new Map<string, unknown>();
  /** When each key on each node was last asked for by nobody, by revision. */
  readonly #unaskedAt = new Map<string, number>();
  readonly #setAt = new Map<string, number>();
  /** Every key that anybody ever set on a node. */
  readonly #known = new Set<string>();

  constructor(run: Run) {
    this.#run = run;
    this.#recordKeys = recordKeys(run);
  }

  see(write: WriteRecord): readonly string[] {
    if (isAsking(write.resource)) this.#seeAsker(write);
    if (write.resource === resources.lifecycles) this.#seeLifecycle(write);
    return write.resource === resources.nodes ? this.#seeNode(write) : [];
  }

  #seeAsker({ resource, key: name, before, after, revision }: WriteRecord): void {
    const id = `${resource}/${name}`;
    const isSame = before !== null && after !== null && askOf(before) === askOf(after);
    const since = isSame ? (this.#askers.get(id)?.since ?? revision) : revision;
    if (after === null) this.#askers.delete(id);
    else this.#askers.set(id, { resource, name, object: after, since });
    if (!isSame) for (const node of this.#nodes.keys()) this.#noteUnasked(node, revision);
  }

  /** What others delete under our hands was recorded all the same. */
  #seeLifecycle(write: WriteRecord): void {
    if (write.after === null && !isOwn(write)) return;
    this.#lifecycles.set(write.key, write.after);
  }

  #seeNode(write: WriteRecord): readonly string[] {
    const [before, after] = [keysOn(write.before), keysOn(write.after)];
    const gained = [...after].filter((key) => !before.has(key));
    const lost = [...before].filter((key) => !after.has(key));
    const problems = isOwn(write)
      ? [
          ...lost.flatMap((key) => this.#judgeLoss(write, key)),
          ...gained.flatMap((key) => this.#judgeGain(write, key)),
        ]
      : [];
    for (const key of gained) {
      this.#setAt.set(`${write.key} ${key}`, write.revision);
      this.#known.add(key);
    }
    this.#nodes.set(write.key, write.after);
    this.#noteUnasked(write.key, write.revision);
    return problems;
  }

  #noteUnasked(node: string, revision: number): void {
    const object = this.#nodes.get(node);
    for (const key of this.#known)
      if (this.#askersOf(key, object).length === 0) this.#unaskedAt.set(`${node} ${key}`, revision);
  }

  #askersOf(key: string, node: unknown): readonly Asker[] {
    return [...this.#askers.values()].filter(({ resource, object }) =>
      keysAskedOn(resource, object, node).includes(key),
    );
  }

  #judgeLoss(write: WriteRecord, key: string): readonly string[] {
    const place = `${write.key} ${key}`;
    const askers = this.#askersOf(key, write.before);
    const wasFree = (this.#unaskedAt.get(place) ?? 0) > (this.#setAt.get(place) ?? 0);
    const owner = ownerOnNode(write.before, key);
    const isTheirs = askers.some((asker) => owner.endsWith(`/${kinds[asker.resource]}/${asker.name}`));
    const isExcused = (!isTheirs || this.#run.plan.leaders !== undefined) && this.#areUnheard(askers, write);
    return askers.length === 0 || wasFree || isExcused
      ? []
      : [`${write.by} @${write.revision} takes ${key} off ${write.key} though it is asked for`];
  }

  #areUnheard(askers: readonly Asker[], { by, call }: WriteRecord): boolean {
    return askers.every(
      ({ resource, name, since }) =>
        !this.#run.heard.some(
          (event) =>
            event.instance === by &&
            event.resource === resource &&
            event.name === name &&
            event.revision >= since &&
            event.atMs <= (call?.sentAtMs ?? 0),
        ),
    );
  }

  #judgeGain(write: WriteRecord, key: string): readonly string[] {
    if (!this.#recordKeys.has(key) && !this.#isUnkept(write, key)) return this.#judgeMarker(write, key);
    const lifecycle = this.#lifecycles.get(write.key);
    const isSame = at(lifecycle, 'spec', 'nodeUID') === write.after?.metadata?.uid;
    const listed = recordsIn(at(lifecycle, 'status', 'owned')).map(listedKey);
    return isSame && listed.includes(key)
      ? []
      : [`${write.by} @${write.revision} sets ${key} on ${write.key} before it is recorded`];
  }

  /** Nobody who asks is kept from going before the key does: only the record could say then whose it was. */
  #isUnkept({ after }: WriteRecord, key: string): boolean {
    const askers = this.#askersOf(key, after).filter(({ resource }) => resource !== resources.stamps);
    return (
      askers.length > 0 && askers.every(({ object }) => at(object, 'metadata', 'finalizers') === undefined)
    );
  }

  /** A rule that is through with a node never gates it again: its marker and its taint do not meet by our hand. */
  #judgeMarker(write: WriteRecord, key: string): readonly string[] {
    const done = [...this.#askers.values()].filter(({ object }) => isMarked(object, write.after));
    const others = this.#askersOf(key, write.after);
    const isDone = done.some(({ object }) => taintAsked(object) === key) && others.length === 0;
    return isDone ? [`${write.by} @${write.revision} gates ${write.key} by ${key} after its bootstrap`] : [];
  }
}

const kinds: Readonly<Record<string, string>> = {
  [resources.stamps]: stampType.kind,
  [resources.gateRules]: nodeReadinessGateRuleType.kind,
  [resources.rules]: nodeReadinessRuleType.kind,
};

/** On whose behalf the key stands there, as the record on the node has it. */
function ownerOnNode(node: unknown, key: string): string {
  const text = textOf(at(node, 'metadata', 'annotations', annotationKeys.owned));
  const parsed = parseOwned(text);
  if (parsed.kind === 'unreadable') return '';
  const [kind = '', name = ''] = key.split(' ');
  return (kind === 'Taint' ? parsed.record.taints : parsed.record.labels)[name]?.owner ?? '';
}

/** What of an object makes it ask for something else. */
function askOf(object: unknown): string {
  return canonical([
    at(object, 'spec'),
    at(object, 'metadata', 'deletionTimestamp'),
    at(object, 'metadata', 'uid'),
  ]);
}

function listedKey(entry: Readonly<Record<string, unknown>>): string {
  const { kind, key, effect } = entry;
  return `${textOf(kind)} ${textOf(key)}${effect === undefined ? '' : `:${textOf(effect)}`}`;
}

function keysOn(node: unknown): ReadonlySet<string> {
  if (!isRecord(node)) return new Set();
  const labels = [...stringMap(at(node, 'metadata', 'labels')).keys()].map((key) => `Label ${key}`);
  return new Set([...labels, ...[...taintMap(node).keys()].map((id) => `Taint ${id}`)]);
}
