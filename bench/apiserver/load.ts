// The process that asks: watches, reads and writes over keep-alive connections, so many at a time and no more. Ends with the
// process that started it.

import http from 'node:http';
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { LINE_BYTES_MAX } from '../../src/kube/api-watch.ts';
import { LineSplitter } from '../../src/kube/lines.ts';
import { type RawObject, recordsIn } from '../../src/objects/raw.ts';
import { percentile } from '../statistics.ts';
import { nodeName } from './fleet.ts';
import type { LoadCommand, LoadFigures, LoadReport } from './messages.ts';
import { type WriteKind, type WriteRequest, writeOf } from './writes.ts';

/** Coprime to any fleet that is not a multiple of it: every object is written before one is written again. */
const stride = 7_919;
const missingAfterMs = 5_000;

const leasesPath = '/apis/coordination.k8s.io/v1/leases';
const watchQuery =
  'watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
const watchedPaths = [`/api/v1/nodes?${watchQuery}`, `${leasesPath}?${watchQuery}`];
const watchedKinds: ReadonlySet<WriteKind> = new Set<WriteKind>(['lease', 'nodeStatus', 'nodeMerge']);

const [port, nodes, concurrency] = process.argv.slice(2).map(Number) as [number, number, number];
const agent = new http.Agent({ keepAlive: true, maxSockets: concurrency });
/** By node. A lease is only renewed by who knows its last version. */
const leaseVersions = new Map<string, string>();
const turns = new Map<WriteKind, number>();
let watchers = 0;
const heard = { events: 0 };
let serial = 0;

process.on('message', (command: LoadCommand) => void obey(command));
process.on('disconnect', () => process.exit());

async function obey(command: LoadCommand): Promise<void> {
  switch (command.kind) {
    case 'watch':
      return report({ kind: 'watching', ...(await watch(command.watchers)) });
    case 'read': {
      const { body } = await ask({ method: 'GET', path: command.path, headers: { accept: command.accept } });
      return report({ kind: 'read', bytes: body.length });
    }
    case 'write':
      return report({ kind: 'written', ...(await write(command.mix, command.seconds * 1_000)) });
  }
}

async function watch(count: number): Promise<{ readonly objects: number }> {
  watchers = count;
  await Promise.all(Array.from({ length: count }, () => watchedPaths.map(follow)).flat());
  const objects = heard.events;
  const list = JSON.parse((await ask({ method: 'GET', path: leasesPath })).body.toString()) as RawObject;
  for (const lease of recordsIn(list['items']) as readonly RawObject[]) learn(lease);
  return { objects };
}

/** Resolves with the bookmark that ends the first events. */
function follow(path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const line = (bytes: Buffer) => {
      if (bytes.toString('latin1', 0, 20).startsWith('{"type":"BOOKMARK"')) resolve();
      else heard.events += 1;
    };
    const tooLong = (start: string) => reject(new Error(`a line is too long: ${start}`));
    const lines = new LineSplitter({ line, tooLong }, LINE_BYTES_MAX);
    http.get({ port, host: '127.0.0.1', path, agent: false }, (response) => {
      response.on('data', (chunk: Buffer) => lines.push(chunk));
      response.on('end', () => reject(new Error(`the watch of ${path} ended`)));
    });
  });
}

async function write(mix: readonly WriteKind[], forMs: number): Promise<LoadFigures> {
  const latenciesMs: number[] = [];
  let refused = 0;
  let expected = heard.events;
  const cpuBefore = process.cpuUsage();
  const begunMs = performance.now();
  const writer = async () => {
    while (performance.now() - begunMs < forMs) {
      const kind = mix[serial % mix.length] as WriteKind;
      const request = nextWrite(kind);
      const sentMs = performance.now();
      const { code, body } = await send(request);
      latenciesMs.push(performance.now() - sentMs);
      if (code >= 300) refused += 1;
      else if (watchedKinds.has(kind)) expected += watchers;
      if (kind === 'lease' && code < 300) learn(JSON.parse(body.toString()) as RawObject);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, writer));
  const wallMs = performance.now() - begunMs;
  const { user, system } = process.cpuUsage(cpuBefore);
  return {
    writes: latenciesMs.length,
    wallMs,
    cpuMs: (user + system) / 1_000,
    latencyMsP50: percentile(latenciesMs, 0.5),
    latencyMsP99: percentile(latenciesMs, 0.99),
    refused,
    missing: await missingOf(expected),
  };
}

async function missingOf(expected: number): Promise<number> {
  const giveUpAtMs = performance.now() + missingAfterMs;
  while (heard.events < expected && performance.now() < giveUpAtMs) await pause(5);
  return expected - heard.events;
}

function nextWrite(kind: WriteKind): WriteRequest {
  serial += 1;
  const turn = turns.get(kind) ?? 0;
  turns.set(kind, turn + 1);
  const index = (turn * stride) % nodes;
  return writeOf(kind, { index, serial, resourceVersion: leaseVersions.get(nodeName(index)) ?? '' });
}

function learn({ metadata }: RawObject): void {
  leaseVersions.set(metadata?.name ?? '', metadata?.resourceVersion ?? '');
}

function send({ method, path, contentType, body }: WriteRequest): Promise<Answer> {
  const text = JSON.stringify(body);
  const headers = { 'content-type': contentType, 'content-length': Buffer.byteLength(text) };
  return ask({ method, path, headers, text });
}

type Question = {
  readonly method: string;
  readonly path: string;
  readonly headers?: http.OutgoingHttpHeaders;
  readonly text?: string;
};

type Answer = { readonly code: number; readonly body: Buffer };

function ask({ method, path, headers = {}, text = '' }: Question): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = http.request({ port, host: '127.0.0.1', method, path, headers, agent }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve({ code: response.statusCode ?? 0, body: Buffer.concat(chunks) }));
      response.on('error', reject);
    });
    request.on('error', reject);
    request.end(text);
  });
}

function report(message: LoadReport): void {
  process.send?.(message);
}
