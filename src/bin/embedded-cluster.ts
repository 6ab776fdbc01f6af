// The embedded API server on loopback, with our kinds and the samples installed: where `muster up` begins.

import { createApiServer } from '../apiserver/api-server.ts';
import { createFront } from '../apiserver/http/front.ts';
import { listen } from '../apiserver/http/listen.ts';
import { createInProcessKubeApi } from '../apiserver/kube-api.ts';
import { checkDefinition } from '../apiserver/schema/check-definition.ts';
import { compileSchema } from '../apiserver/schema/compile-schema.ts';
import { systemNamespace } from '../api/keys.ts';
import { sleep, systemClock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { systemRandom } from '../base/random.ts';
import { err, ok, type Result } from '../base/result.ts';
import { readManifests } from '../cli/manifests.ts';
import { parseYaml } from '../kube/yaml.ts';
import { projectCustomResourceDefinition } from '../objects/custom-resource-definition.ts';
import { isRecord, type RawObject, viewOf } from '../objects/raw.ts';
import { customResourceDefinitionType, formatRef, type ObjectRef } from '../objects/ref.ts';
import { PodLogs } from '../sim/pod-logs.ts';
import type { WorldApi } from '../sim/world-api.ts';

export type EmbeddedCluster = {
  readonly api: WorldApi;
  /** What simulated containers write; `kubectl logs` shows it. */
  readonly logs: PodLogs;
  readonly url: string;
  /** `DisruptionPolicy default`: what was created from config/samples and config/demo. */
  readonly samples: readonly string[];
  close(): Promise<void>;
};

const LOOPBACK = '127.0.0.1';
const ESTABLISHED_MS_MAX = 10_000;
const POLL_MS = 20;

/** An error is a port that cannot be had; anything else that goes wrong is a fault of ours and thrown. */
export async function startEmbeddedCluster(port: number, log: Log): Promise<Result<EmbeddedCluster, string>> {
  const server = createApiServer({
    clock: systemClock,
    random: systemRandom,
    schemas: { checkDefinition, compileSchema: (schema) => compileSchema(schema) },
  });
  const options = { host: LOOPBACK, port, tls: null, clock: systemClock, log };
  const listening = await listen(createFront(server, { token: null }), options).catch((error: unknown) =>
    error instanceof Error ? error : new Error(String(error)),
  );
  if (listening instanceof Error) return err(portProblem(port, listening));
  const api: WorldApi = createInProcessKubeApi(server);
  const logs = new PodLogs(systemClock);
  server.podLogs.supplyBy(logs);
  const refOf = (object: RawObject): ObjectRef => {
    const definition = server.registry.ofKind(object.apiVersion ?? '', object.kind ?? '');
    if (definition === undefined) throw new Error(`${object.kind} of ${object.apiVersion} is not served`);
    return { type: definition.type, namespace: viewOf(object).namespace, name: viewOf(object).name };
  };
  await installDefinitions(api);
  await create(api, refOf, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: systemNamespace } });
  const samples: string[] = [];
  for (const sample of [...(await objectsIn('samples')), ...(await objectsIn('demo'))])
    samples.push(await create(api, refOf, sample));
  return ok({
    api,
    logs,
    url: listening.url,
    samples,
    async close() {
      await listening.close();
      server.stop();
    },
  });
}

function portProblem(port: number, error: Error): string {
  const isTaken = 'code' in error && error.code === 'EADDRINUSE';
  if (!isTaken) return `${LOOPBACK}:${port} cannot be listened on: ${error.message}`;
  return `${LOOPBACK}:${port} is in use, perhaps by another muster up; choose another port with --port, or --port 0 for any that is free`;
}

async function installDefinitions(api: WorldApi): Promise<void> {
  const definitions = await objectsIn('crds');
  const refOf = (): ObjectRef => ({ type: customResourceDefinitionType, namespace: '', name: '' });
  for (const definition of definitions) await create(api, refOf, definition);
  const untilMs = systemClock.monotonicMs() + ESTABLISHED_MS_MAX;
  for (const definition of definitions) {
    const ref = { ...refOf(), name: viewOf(definition).name };
    for (;;) {
      const found = await api.get(ref);
      if (found.kind === 'ok' && projectCustomResourceDefinition(found.value).isEstablished) break;
      if (systemClock.monotonicMs() > untilMs) throw new Error(`${formatRef(ref)} was not established`);
      await sleep(systemClock, POLL_MS);
    }
  }
}

async function create(
  api: WorldApi,
  refOf: (object: RawObject) => ObjectRef,
  object: RawObject,
): Promise<string> {
  const ref = { ...refOf(object), name: viewOf(object).name };
  const answer = await api.create(ref, object);
  if (answer.kind === 'error') throw new Error(`${formatRef(ref)} was refused: ${answer.error.message}`);
  return formatRef(ref);
}

/** One object per file. */
async function objectsIn(folder: 'crds' | 'samples' | 'demo'): Promise<readonly RawObject[]> {
  const objects = await Promise.all(readManifests(folder).map(parseYaml));
  return objects.flatMap((object): readonly RawObject[] => {
    if (object.kind === 'error') throw new Error(`config/${folder}: ${object.error}`);
    return isRecord(object.value) ? [object.value] : [];
  });
}
