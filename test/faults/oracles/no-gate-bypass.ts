// I5: a gate of ours leaves a node only if, since it was set, there was a moment at which nobody asked for it, or if word of who asks
// is still under way to a replica that has been in step since before. And a key whose only proof is the record stands in the record
// of this very node before it stands on the node.

import { canonical } from '../../../src/base/hash.ts';
import { isRecord, recordsIn, textOf } from '../../../src/objects/raw.ts';
import type { WriteRecord } from '../../../src/sim/faults/records.ts';
import type { Run } from '../run.ts';
import { at, isOwn, type Oracle, resources, stringMap, taintMap } from './oracle.ts';

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
    for (const key of keysAsked(after)) proofs.set(key, (proofs.get(key) ?? new Set()).add(proof));
  }
  return new Set([...proofs].filter(([, set]) => !set.has('object')).map(([key]) => key));
}

function keysAsked(stamp: unknown): readonly string[] {
  const labels = stringMap(at(stamp, 'spec', 'labels')).keys();
  const taints = stringMap(at(stamp, 'spec', 'taints')).keys();
  return [...[...labels].map((key) => `Label ${key}`), ...[...taints].map((id) => `Taint ${id}`)];
}

class Watcher {
  readonly #run: Run;
  readonly #recordKeys: ReadonlySet<string>;
  /** When each Stamp last changed. */
  readonly #stampedAtMs = new Map<string, number>();
  readonly #stamps = new Map<string, readonly string[]>();
  readonly #lifecycles = new Map<string, unknown>();
  /** When each key was last asked for by nobody, by revision. */
  readonly #unaskedAt = new Map<string, number>();
  readonly #setAt = new Map<string, number>();

  constructor(run: Run) {
    this.#run = run;
    this.#recordKeys = recordKeys(run);
  }

  see(write: WriteRecord): readonly string[] {
    if (write.resource === resources.stamps) this.#seeStamp(write);
    if (write.resource === resources.lifecycles) this.#seeLifecycle(write);
    return write.resource === resources.nodes ? this.#seeNode(write) : [];
  }

  #seeStamp({ key, after, revision, atMs }: WriteRecord): void {
    if (canonical(this.#stamps.get(key)) !== canonical(keysAsked(after))) this.#stampedAtMs.set(key, atMs);
    const before = this.#stamps.get(key) ?? [];
    this.#stamps.set(key, keysAsked(after));
    const asked = new Set([...this.#stamps.values()].flat());
    for (const each of before) if (!asked.has(each)) this.#unaskedAt.set(each, revision);
    for (const each of asked)
      if (!before.includes(each) && !this.#unaskedAt.has(each)) this.#unaskedAt.set(each, 0);
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
    const asked = new Set([...this.#stamps.values()].flat());
    const problems = isOwn(write)
      ? [
          ...lost.flatMap((key) => this.#judgeLoss(write, key, asked)),
          ...gained.flatMap((key) => this.#judgeGain(write, key)),
        ]
      : [];
    for (const key of gained) this.#setAt.set(`${write.key} ${key}`, write.revision);
    return problems;
  }

  #judgeLoss(write: WriteRecord, key: string, asked: ReadonlySet<string>): readonly string[] {
    const since = this.#setAt.get(`${write.key} ${key}`) ?? 0;
    const isFree = !asked.has(key) || (this.#unaskedAt.get(key) ?? 0) > since;
    return isFree || this.#isUnheard(write, key)
      ? []
      : [`${write.by} @${write.revision} takes ${key} off ${write.key} though it is asked for`];
  }

  /** Everybody who asks began to ask during this life, and it has not heard of any of them. */
  #isUnheard({ by, call }: WriteRecord, key: string): boolean {
    const bornMs = this.#run.births.get(by) ?? 0;
    const asking = [...this.#stamps].filter(([, keys]) => keys.includes(key)).map(([name]) => name);
    return asking.every((name) => {
      const sinceMs = this.#stampedAtMs.get(name) ?? 0;
      const isHeard = this.#run.heard.some(
        (event) =>
          event.instance === by &&
          event.resource === resources.stamps &&
          event.name === name &&
          event.atMs >= sinceMs &&
          event.atMs <= (call?.sentAtMs ?? 0),
      );
      return sinceMs >= bornMs && !isHeard;
    });
  }

  #judgeGain(write: WriteRecord, key: string): readonly string[] {
    if (!this.#recordKeys.has(key)) return [];
    const lifecycle = this.#lifecycles.get(write.key);
    const isSame = at(lifecycle, 'spec', 'nodeUID') === write.after?.metadata?.uid;
    const listed = recordsIn(at(lifecycle, 'status', 'owned')).map(listedKey);
    return isSame && listed.includes(key)
      ? []
      : [`${write.by} @${write.revision} sets ${key} on ${write.key} before it is recorded`];
  }
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
