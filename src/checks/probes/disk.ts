// The disk under the worker's scratch directory. Writes one file there, and only for the time of the measurement.

import { open, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { err, ok } from '../../base/result.ts';
import { aborted, inconclusive } from '../outcome.ts';
import type { Disk, Limits, Probed } from '../world.ts';

const BLOCK_BYTES = 4096;

export function createDisk(clock: Clock, directory: string): Disk {
  return {
    async space() {
      try {
        const { bsize, blocks, bavail, files, ffree } = await statfs(directory);
        return ok({ bytes: blocks * bsize, freeBytes: bavail * bsize, inodes: files, freeInodes: ffree });
      } catch (error) {
        return noScratch(error);
      }
    },
    async syncWrites(count, limits) {
      const file = join(directory, 'muster-fsync');
      try {
        return await timeWrites(file, { count, clock, limits });
      } catch (error) {
        return noScratch(error);
      } finally {
        await rm(file, { force: true }).catch(() => undefined);
      }
    },
  };
}

type Writing = { readonly count: number; readonly clock: Clock; readonly limits: Limits };

async function timeWrites(file: string, { count, clock, limits }: Writing): Probed<readonly number[]> {
  const block = Buffer.alloc(BLOCK_BYTES, 'muster');
  const handle = await open(file, 'w');
  try {
    const times: number[] = [];
    while (times.length < count) {
      if (limits.signal.aborted)
        return err(aborted(limits.signal, `${times.length} of ${count} synchronous writes`));
      const startedMs = clock.monotonicMs();
      await handle.write(block);
      await handle.datasync();
      times.push(clock.monotonicMs() - startedMs);
    }
    return ok(times);
  } finally {
    await handle.close();
  }
}

function noScratch(error: unknown) {
  return err(inconclusive('NoScratch', error instanceof Error ? error.message : String(error)));
}
