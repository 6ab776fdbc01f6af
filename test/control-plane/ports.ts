// Free loopback ports. Never from the range the kernel picks client ports from (32768 up on Linux, 49152 up on macOS):
// a client that retries a killed server's port there can be given that same port and end up connected to itself.

import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

const lowest = 20_000;
const highest = 32_767;
const triesMax = 200;

export async function freePorts(count: number): Promise<readonly number[]> {
  const found = new Set<number>();
  for (let tries = 0; found.size < count && tries < triesMax; tries += 1) {
    const port = randomInt(lowest, highest + 1);
    if (await isFree(port)) found.add(port);
  }
  if (found.size < count)
    throw new Error(`no ${count} free ports between ${lowest} and ${highest} on 127.0.0.1`);
  return [...found];
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
