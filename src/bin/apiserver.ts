// `muster apiserver`: the embedded API server as a process. Listens on loopback alone and lets in whoever reaches it, over
// plain HTTP: kubectl sends no token without TLS. Keeps its objects in a file if asked to.

import { access, constants, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type ApiServer, createApiServer } from '../apiserver/api-server.ts';
import { createFront } from '../apiserver/http/front.ts';
import { type Listening, listen } from '../apiserver/http/listen.ts';
import { checkDefinition } from '../apiserver/schema/check-definition.ts';
import { compileSchema } from '../apiserver/schema/compile-schema.ts';
import { shareSchemas } from '../apiserver/shared-schemas.ts';
import { parseSnapshot } from '../apiserver/snapshot.ts';
import type { StoreSnapshot } from '../apiserver/store/object-store.ts';
import { systemClock } from '../base/clock.ts';
import { silentLog } from '../base/log.ts';
import { systemRandom } from '../base/random.ts';
import { err, ok, type Result } from '../base/result.ts';
import { kubeconfigText } from './kubeconfig-text.ts';
import { untilStopped } from './until-signal.ts';

export type ApiServerFlags = {
  readonly port: string;
  readonly kubeconfigOut?: string;
  readonly snapshot?: string;
};

const exitCodes = { stopped: 0, failure: 1, usage: 2 } as const;
const SNAPSHOT_MS = 5_000;
const LOOPBACK = '127.0.0.1';

export async function runApiServer(flags: ApiServerFlags): Promise<number> {
  const port = Number(flags.port);
  if (!/^\d+$/.test(flags.port) || port > 65_535)
    return refuse(`--port must be a number from 0 to 65535, not ${JSON.stringify(flags.port)}`);
  const unwritable = await unwritableIn({
    '--kubeconfig-out': flags.kubeconfigOut,
    '--snapshot': flags.snapshot,
  });
  if (unwritable !== null) return refuse(unwritable);
  const snapshot = await readSnapshot(flags.snapshot);
  if (snapshot.kind === 'error') return refuse(snapshot.error);
  const server = createApiServer({
    clock: systemClock,
    random: systemRandom,
    // The versions of a kind often have the same schema.
    schemas: shareSchemas({ checkDefinition, compileSchema: (schema) => compileSchema(schema) }),
    ...(snapshot.value === null ? {} : { snapshot: snapshot.value }),
  });
  const options = { host: LOOPBACK, port, tls: null, clock: systemClock, log: silentLog };
  const listening = await listen(createFront(server, { token: null }), options).catch((error: unknown) =>
    error instanceof Error ? error : new Error(String(error)),
  );
  if (listening instanceof Error)
    return refuse(`${LOOPBACK}:${port} cannot be listened on: ${listening.message}`);
  const out = flags.kubeconfigOut;
  if (out !== undefined) await writeFile(out, kubeconfigText(listening.url), { mode: 0o600 });
  console.log(
    `serving at ${listening.url}${out === undefined ? '' : `; try: kubectl --kubeconfig ${out} get nodes`}`,
  );
  return serveUntilStopped(server, listening, flags.snapshot);
}

function refuse(sentence: string): number {
  console.error(`muster apiserver: ${sentence}`);
  return exitCodes.usage;
}

async function serveUntilStopped(
  server: ApiServer,
  listening: Listening,
  file: string | undefined,
): Promise<number> {
  let savedRevision = server.store.revision;
  const save = async () => {
    if (file === undefined || savedRevision === server.store.revision) return;
    savedRevision = server.store.revision;
    // A run that ends in the middle of a write leaves the earlier file whole.
    await writeFile(`${file}.new`, JSON.stringify(server.store.snapshot()), { mode: 0o600 });
    await rename(`${file}.new`, file);
  };
  // A disk that is full for a while must not end the server: the next time saves what this one could not.
  const complain = (error: unknown) => {
    savedRevision = -1;
    console.error(`muster apiserver: ${file} cannot be written: ${String(error)}`);
  };
  const timer = setInterval(() => void save().catch(complain), SNAPSHOT_MS);
  await untilStopped(null);
  clearInterval(timer);
  await listening.close();
  server.stop();
  await save().catch(complain);
  return savedRevision === -1 ? exitCodes.failure : exitCodes.stopped;
}

/** What is wrong with the first of these files whose folder cannot be written to; null when nothing is. */
async function unwritableIn(files: Readonly<Record<string, string | undefined>>): Promise<string | null> {
  for (const [flag, file] of Object.entries(files)) {
    if (file === undefined) continue;
    const folder = path.dirname(path.resolve(file));
    const isWritable = await access(folder, constants.W_OK).then(
      () => true,
      () => false,
    );
    if (!isWritable) return `${flag} ${file}: ${folder} is no folder that can be written to`;
  }
  return null;
}

/** Null when there is none yet. */
async function readSnapshot(file: string | undefined): Promise<Result<StoreSnapshot | null, string>> {
  if (file === undefined) return ok(null);
  try {
    const snapshot = parseSnapshot(await readFile(file, 'utf8'));
    return snapshot === null ? err(`${file} is not a snapshot of the embedded API server`) : ok(snapshot);
  } catch (error) {
    const isAbsent = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    return isAbsent ? ok(null) : err(`${file} cannot be read: ${String(error)}`);
  }
}
