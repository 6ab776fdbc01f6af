// The commands for people before the embedded API server, in process, with a whole operator beside it that writes what they
// read. Time moves only when told to, so that what they print is the same each time.

import { createApiServer } from '../../src/apiserver/api-server.ts';
import { createInProcessKubeApi } from '../../src/apiserver/kube-api.ts';
import { checkDefinition } from '../../src/apiserver/schema/check-definition.ts';
import { compileSchema } from '../../src/apiserver/schema/compile-schema.ts';
import { shareSchemas } from '../../src/apiserver/shared-schemas.ts';
import { crdManifest } from '../../src/api/crd.ts';
import { nodeReadinessGateRuleType, nodeReadinessRuleType } from '../../src/api/keys.ts';
import { kinds } from '../../src/api/kinds.ts';
import { silentLog } from '../../src/base/log.ts';
import { silentMetrics } from '../../src/base/metrics.ts';
import { seededRandom } from '../../src/base/random.ts';
import { ok } from '../../src/base/result.ts';
import { formatTime } from '../../src/base/timestamp.ts';
import { createReadiness } from '../../src/capabilities/readiness/capability.ts';
import { type Operator, wireOperator } from '../../src/bin/wire.ts';
import type { OptionList } from '../../src/cli/options.ts';
import { runView, type ViewCommand } from '../../src/cli/views/view-command.ts';
import type { RawObject } from '../../src/objects/raw.ts';
import {
  apiVersionOf,
  customResourceDefinitionType,
  nodeType,
  type ResourceType,
} from '../../src/objects/ref.ts';
import type { Look } from '../../src/present/table.ts';
import { noFlags } from '../../src/runtime/gating-policy.ts';
import type { KubeApi } from '../../src/runtime/ports.ts';
import { lifecycleSpec, nodeSpec } from '../../src/runtime/specs.ts';
import { type ManualClock, manualClock } from './manual-clock.ts';
import { newNode, type NodeSketch } from './node-builder.ts';

export type Printed = { readonly code: number; readonly out: string; readonly err: string };
export type ViewScene = Awaited<ReturnType<typeof startViewScene>>;

const schemas = shareSchemas({ checkDefinition, compileSchema: (schema) => compileSchema(schema) });

export async function startViewScene(options: { readonly hasDefinitions?: boolean } = {}) {
  const clock = manualClock();
  const server = createApiServer({ clock, random: seededRandom(1), schemas });
  const api: KubeApi = createInProcessKubeApi(server);
  const put = async (type: ResourceType, body: RawObject) => {
    const ref = { type, namespace: body.metadata?.namespace ?? '', name: body.metadata?.name ?? '' };
    const full = { apiVersion: apiVersionOf(type), kind: type.kind, ...body };
    return insist(await api.create(ref, full));
  };
  const patch = async (type: ResourceType, name: string, body: object) => {
    const given = 'status' in body ? { subresource: 'status' } : {};
    insist(await api.patch({ type, namespace: '', name }, { kind: 'strategic', body }, given));
  };
  const merge = async (type: ResourceType, name: string, body: object) => {
    insist(await api.patch({ type, namespace: '', name }, { kind: 'merge', body }));
  };
  if (options.hasDefinitions !== false)
    for (const kind of kinds) await put(customResourceDefinitionType, crdManifest(kind));
  await clock.advance(1_000);
  let operator: Operator | null = null;
  return {
    api,
    clock,
    put,
    merge,
    putRule: (name: string, spec: object) => put(nodeReadinessGateRuleType, { metadata: { name }, spec }),
    putUpstreamRule: (name: string, spec: object) => put(nodeReadinessRuleType, { metadata: { name }, spec }),
    /** Joins, reports ready, and loses the taint that every Node is born with. */
    async join(name: string, sketch: NodeSketch = {}) {
      const { status, ...body } = newNode({ ...sketch, name });
      await put(nodeType, body);
      await patch(nodeType, name, { status: status as object });
      await merge(nodeType, name, { spec: { taints: sketch.taints ?? null } });
    },
    async report(
      name: string,
      condition: { readonly type: string; readonly status: string; readonly reason?: string },
    ) {
      const lastTransitionTime = formatTime(clock.now());
      await patch(nodeType, name, { status: { conditions: [{ ...condition, lastTransitionTime }] } });
    },
    startOperator() {
      operator = operatorBefore(api, clock);
      operator.start();
    },
    /** In steps, so that what one of them brings about is done in the next. */
    async run(ms: number) {
      for (let passedMs = 0; passedMs < ms; passedMs += 500) await clock.advance(500);
    },
    print: <L extends OptionList>(command: ViewCommand<L>, line = '', look: Partial<Look> = {}) =>
      printed(command, line, { api, clock, look: { columns: 80, hasColour: false, ...look } }),
    async stop() {
      const stopping = operator?.stop();
      await clock.advance(20_000);
      await stopping;
      server.stop();
    },
  };
}

function operatorBefore(api: KubeApi, clock: ManualClock): Operator {
  return wireOperator({
    api,
    clock,
    random: seededRandom(2),
    log: silentLog,
    metrics: silentMetrics,
    capabilities: [createReadiness({ centre: { nodes: nodeSpec, lifecycles: lifecycleSpec } })],
    gatingFlags: noFlags,
    poolLabels: ['pool'],
    resyncMs: 600_000,
    identity: 'scene',
    lease: null,
    onLost: () => undefined,
  });
}

type Reader = { readonly api: KubeApi; readonly clock: ManualClock; readonly look: Look };

/** What a command prints for a line of words and flags. */
export async function printed<L extends OptionList>(
  command: ViewCommand<L>,
  line: string,
  { api, clock, look }: Reader,
): Promise<Printed> {
  const out: string[] = [];
  const err: string[] = [];
  const code = await runView(
    command,
    line.split(' ').filter((word) => word !== ''),
    {
      clock,
      look,
      print: (text) => void out.push(text),
      complain: (text) => void err.push(text),
      connect: async () => ok({ api, close: () => undefined }),
    },
  );
  return { code, out: out.join('\n'), err: err.join('\n') };
}

function insist<T>(answer: { kind: 'ok'; value: T } | { kind: 'error'; error: { message: string } }): T {
  if (answer.kind === 'error') throw new Error(`the scene is refused: ${answer.error.message}`);
  return answer.value;
}
