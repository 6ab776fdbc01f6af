// The limit that the operator is held against: a client that does nothing but the Node patches. It watches nodes over the
// product's transport, keeps no state but the queue, knows no rule, writes no status. Begins to gate at SIGUSR2, as an operator
// does when the rules come.

import { systemClock } from '../../src/base/clock.ts';
import { silentLog } from '../../src/base/log.ts';
import { silentMetrics } from '../../src/base/metrics.ts';
import { systemRandom } from '../../src/base/random.ts';
import { createCaches } from '../../src/kube/caches.ts';
import type { NodeView } from '../../src/objects/node.ts';
import { nodeType } from '../../src/objects/ref.ts';
import type { KubeApi } from '../../src/runtime/ports.ts';
import { nodeSpec } from '../../src/runtime/specs.ts';
import { connect } from '../cluster/cluster-client.ts';
import { conditionTypeOf, numbersBelow, taintKeyOf, taintPrefix } from './gates.ts';

const [kubeconfig = '', rules = '', concurrency = ''] = process.argv.slice(2);
const gates = numbersBelow(Number(rules)).map((rule) => ({
  condition: conditionTypeOf(rule),
  taint: { key: taintKeyOf(rule), effect: 'NoSchedule' },
}));
/** As long as the record that the operator keeps in the same patch. */
const recordKey = 'bench.example.com/owned';
const recordOf = (keys: readonly string[]) =>
  JSON.stringify({
    taints: Object.fromEntries(
      keys.map((key) => [`${key}:NoSchedule`, { owner: 'bench', value: '', found: null }]),
    ),
  });

void run();

async function run(): Promise<void> {
  // Not the manager of those who report the conditions: one more writer in every Node costs the API server time, whoever it is.
  const { api } = await connect(kubeconfig, 'bare-client');
  const sources = createCaches({
    api,
    specs: [nodeSpec],
    clock: systemClock,
    random: systemRandom,
    log: silentLog,
    metrics: silentMetrics,
  });
  const client = new BareClient(api, (name) => sources.of(nodeSpec).get(name));
  sources.subscribe(nodeSpec, (change) => {
    if (change.kind !== 'deleted') client.enqueue(change.now.name);
  });
  sources.onSynced(() => process.stdout.write('synced\n'));
  sources.start();
  process.on('SIGUSR2', () => {
    client.begin();
    for (const name of sources.of(nodeSpec).keys()) client.enqueue(name);
  });
}

class BareClient {
  readonly #api: KubeApi;
  readonly #nodeOf: (name: string) => NodeView | undefined;
  readonly #waiting = new Set<string>();
  readonly #working = new Set<string>();
  #isGating = false;

  constructor(api: KubeApi, nodeOf: (name: string) => NodeView | undefined) {
    this.#api = api;
    this.#nodeOf = nodeOf;
  }

  begin(): void {
    this.#isGating = true;
  }

  enqueue(name: string): void {
    if (!this.#isGating) return;
    this.#waiting.add(name);
    this.#take();
  }

  #take(): void {
    for (const name of this.#waiting) {
      if (this.#working.size >= Number(concurrency)) return;
      if (this.#working.has(name)) continue;
      this.#waiting.delete(name);
      const node = this.#nodeOf(name);
      const patch = node === undefined ? null : patchFor(node);
      if (patch !== null) void this.#write(name, patch);
    }
  }

  /** A conflict needs no care: the write that caused it comes as an event, and the node is looked at again. */
  async #write(name: string, body: object): Promise<void> {
    this.#working.add(name);
    await this.#api.patch({ type: nodeType, namespace: '', name }, { kind: 'merge', body });
    this.#working.delete(name);
    this.#take();
  }
}

function patchFor({ uid, resourceVersion, taints, conditions }: NodeView): object | null {
  const wanted = gates.filter(
    ({ condition }) => !conditions.some(({ type, status }) => type === condition && status === 'True'),
  );
  const ours = taints.filter(({ key }) => key.startsWith(taintPrefix));
  const isEqual =
    ours.length === wanted.length && wanted.every(({ taint }) => ours.some(({ key }) => key === taint.key));
  if (isEqual) return null;
  const others = taints.filter(({ key }) => !key.startsWith(taintPrefix));
  const keys = wanted.map(({ taint }) => taint.key);
  const record = keys.length === 0 ? null : recordOf(keys);
  return {
    metadata: { uid, resourceVersion, annotations: { [recordKey]: record } },
    spec: { taints: [...others, ...wanted.map(({ taint }) => taint)] },
  };
}
