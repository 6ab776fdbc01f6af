// Memory as a container has it: a control group with a limit, in which the process has a copy of Node to itself, so that the pages of
// the program count too. Beyond the limit the kernel first drops what can be read again from a file, then ends the process.

import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, rmdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

export type Container = {
  readonly limitBytes: number;
  /** The command line that runs Node with these arguments inside. */
  readonly commandLine: (args: readonly string[]) => {
    readonly command: string;
    readonly args: readonly string[];
  };
  /** The most that was in use and could not be dropped at once: what Kubernetes calls the working set. */
  readonly peak: () => WorkingSet;
  readonly close: () => Promise<void>;
};

export type WorkingSet = {
  readonly bytes: number;
  /** Heap, stacks and buffers. */
  readonly anonymousBytes: number;
  /** Pages of files that were used lately: mostly the program. The rest is the kernel's, sockets among it. */
  readonly fileBytes: number;
};

/** Where each generation of control groups keeps what we need of it. */
const generations = [
  {
    root: '/sys/fs/cgroup/memory',
    limit: 'memory.limit_in_bytes',
    usage: 'memory.usage_in_bytes',
    words: { idle: 'total_inactive_file', active: 'total_active_file', anonymous: 'total_rss' },
  },
  {
    root: '/sys/fs/cgroup',
    limit: 'memory.max',
    usage: 'memory.current',
    words: { idle: 'inactive_file', active: 'active_file', anonymous: 'anon' },
  },
] as const;
type Generation = (typeof generations)[number];

const lookMs = 500;

/** Null where this user may not make one. */
export async function openContainer(limitBytes: number): Promise<Container | null> {
  for (const generation of generations) {
    const group = path.join(generation.root, `muster-bench-${process.pid}`);
    const isOurs = await makeGroup(group, generation, limitBytes);
    if (isOurs) return inGroup(group, generation, limitBytes);
  }
  return null;
}

async function makeGroup(group: string, { limit }: Generation, limitBytes: number): Promise<boolean> {
  try {
    await mkdir(group);
    if (!existsSync(path.join(group, limit))) throw new Error(`no ${limit}`);
    await writeFile(path.join(group, limit), String(limitBytes));
    return true;
  } catch {
    await rmdir(group).catch(() => undefined);
    return false;
  }
}

/** The copy is made inside, so that its pages are charged to the group. */
const script = 'echo $$ > "$1/cgroup.procs" && cp "$2" "$3" && own=$3 && shift 3 && exec "$own" "$@"';

async function inGroup(group: string, generation: Generation, limitBytes: number): Promise<Container> {
  const dir = await mkdtemp(path.join(tmpdir(), 'muster-bench-'));
  let peak: WorkingSet = { bytes: 0, anonymousBytes: 0, fileBytes: 0 };
  const timer = setInterval(() => {
    void workingSetOf(group, generation).then((now) => (peak = now.bytes > peak.bytes ? now : peak));
  }, lookMs);
  // A run that failed ends, though nobody has closed this.
  timer.unref();
  return {
    limitBytes,
    commandLine: (args) => ({
      command: 'sh',
      args: ['-c', script, 'sh', group, process.execPath, path.join(dir, 'node'), ...args],
    }),
    peak: () => peak,
    async close() {
      clearInterval(timer);
      await rm(dir, { recursive: true, force: true });
      // The kernel needs a moment to see that nobody is in it any more.
      for (let tries = 0; tries < 20 && existsSync(group); tries++) {
        await rmdir(group).catch(() => pause(100));
      }
    },
  };
}

async function workingSetOf(group: string, { usage, words }: Generation): Promise<WorkingSet> {
  const read = (file: string) => readFile(path.join(group, file), 'utf8').catch(() => '');
  const [used, stat] = await Promise.all([read(usage), read('memory.stat')]);
  return workingSet(used, stat, words);
}

type Words = { readonly idle: string; readonly active: string; readonly anonymous: string };

export function workingSet(usage: string, stat: string, words: Words): WorkingSet {
  const bytesOf = (word: string) => Number(new RegExp(`^${word} (\\d+)$`, 'm').exec(stat)?.[1] ?? 0);
  return {
    bytes: Math.max(0, Number(usage) - bytesOf(words.idle)),
    anonymousBytes: bytesOf(words.anonymous),
    fileBytes: bytesOf(words.active),
  };
}
