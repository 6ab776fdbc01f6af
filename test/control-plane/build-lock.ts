// Lets one process build while others wait. The lock only saves work and must not guard correctness: binaries are
// renamed into place whole, so a lock taken over by mistake costs time and nothing else.

import { mkdir, rm, stat, utimes } from 'node:fs/promises';
import { until } from './until.ts';

const heartbeatMs = 2_000;
const staleAfterMs = 30_000;
// Longer than the slowest cold build seen, on two busy cores.
const waitMsMax = 30 * 60_000;

export async function withBuildLock<T>(dir: string, onWait: () => void, work: () => Promise<T>): Promise<T> {
  await acquire(dir, onWait);
  // A holder that died, perhaps in another container with its own pids, is known by the age of its last heartbeat.
  const heartbeat = setInterval(() => void touch(dir), heartbeatMs);
  try {
    return await work();
  } finally {
    clearInterval(heartbeat);
    await rm(dir, { recursive: true, force: true });
  }
}

async function acquire(dir: string, onWait: () => void): Promise<void> {
  let hasWaited = false;
  await until(`the build lock ${dir} is free`, waitMsMax, async () => {
    if (await create(dir)) return true;
    if ((await ageMs(dir)) > staleAfterMs) await rm(dir, { recursive: true, force: true });
    if (!hasWaited) onWait();
    hasWaited = true;
    return undefined;
  });
}

// mkdir either makes the directory or fails: that is what makes it a lock.
function create(dir: string): Promise<boolean> {
  return mkdir(dir).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return false;
      throw error;
    },
  );
}

// A lock that vanishes while it is looked at was released: young, so that the next try finds out.
function ageMs(dir: string): Promise<number> {
  return stat(dir).then(
    ({ mtimeMs }) => Date.now() - mtimeMs,
    () => 0,
  );
}

function touch(dir: string): Promise<void> {
  const now = new Date();
  return utimes(dir, now, now).catch(() => undefined);
}
