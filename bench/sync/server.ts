// The process that plays the API server: one fleet over TLS, HTTP/2 or HTTP/1.1 as the client likes. Loopback only; ends
// with the process that started it.

import { createSecureServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { createAuthority, issue } from '../../test/control-plane/certificates.ts';
import { churn } from './churn.ts';
import { createCorpus } from './corpus.ts';
import type { ServerCommand, ServerReport } from './messages.ts';
import { createNodeApi } from './node-api.ts';
import { generateNode, listVersion } from './nodes.ts';

const seed = 1;
const [size, start] = process.argv.slice(2);
const corpus = createCorpus(Number(size), (index) => generateNode({ seed, index }));
const api = createNodeApi({
  corpus,
  resourceVersion: listVersion(corpus.size),
  start: start === 'pages' ? 'pages' : 'stream',
});
const authority = createAuthority('muster-bench');
const serving = issue(authority, {
  kind: 'serving',
  commonName: 'localhost',
  hosts: ['127.0.0.1', 'localhost'],
});
const server = createSecureServer(
  { cert: serving.certificate, key: serving.key, allowHTTP1: true },
  api.answer,
);

process.on('message', (command: ServerCommand) => void obey(command));
process.on('disconnect', () => process.exit());
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  report({ kind: 'ready', port, ca: authority.certificate, bytes: corpus.added.length });
});

async function obey(command: ServerCommand): Promise<void> {
  await api.whenWatched();
  if (command.kind === 'expire') return api.expire();
  const { seconds, perSecond } = command;
  report({ kind: 'churned', sent: await churn({ corpus, write: api.write, seconds, perSecond }) });
}

function report(message: ServerReport): void {
  process.send?.(message);
}
