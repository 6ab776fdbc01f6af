// The measured process: the embedded server as the product starts it, with a fleet in it. Loopback only; ends with the
// process that started it.

import { createApiServer } from '../../src/apiserver/api-server.ts';
import { createFront } from '../../src/apiserver/http/front.ts';
import { listen } from '../../src/apiserver/http/listen.ts';
import { systemClock } from '../../src/base/clock.ts';
import { silentLog } from '../../src/base/log.ts';
import { seededRandom } from '../../src/base/random.ts';
import { fill, install, membersOf } from './fleet.ts';
import type { ServerCommand, ServerReport } from './messages.ts';
import { Probe } from './probe.ts';
import { schemas } from './schemas.ts';

const seed = 1;
const probeTickMs = 5;
const [nodes] = process.argv.slice(2);
const probe = new Probe();

process.on('message', (command: ServerCommand) => {
  if (command.kind === 'begin') {
    probe.begin();
    return report({ kind: 'begun' });
  }
  // A few turns later, so that the turn in which the work ended has been seen by the probe as a whole.
  setTimeout(() => report({ kind: 'ended', ...probe.end() }), probeTickMs);
});
process.on('disconnect', () => process.exit());
void serve();

async function serve(): Promise<void> {
  const server = createApiServer({ clock: systemClock, random: seededRandom(seed), schemas });
  install(server);
  fill(server, membersOf(Number(nodes)));
  const front = createFront(server, { token: null });
  const options = { host: '127.0.0.1', port: 0, tls: null, clock: systemClock, log: silentLog };
  const { port } = await listen(front, options);
  report({ kind: 'ready', port, rssBytes: process.memoryUsage.rss() });
}

function report(message: ServerReport): void {
  process.send?.(message);
}
