// The two things credentials need of the machine: to read a file and to run a command. Ports, so that a test needs
// neither; below them the real ones.

import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { err, ok, type Result } from '../base/result.ts';
import { thrownCode, thrownMessage } from './thrown.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export type FileProblem = { readonly kind: 'missing' | 'unreadable'; readonly message: string };

export interface Files {
  read(path: string): Promise<Result<string, FileProblem>>;
}

export type CommandLine = {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** inherit: the command may talk with the person at the terminal. */
  readonly terminal: 'inherit' | 'none';
};

export type CommandOutcome =
  | {
      readonly kind: 'exited';
      readonly code: number | null;
      readonly stdout: string;
      readonly stderr: string;
    }
  | { readonly kind: 'missing' }
  | { readonly kind: 'failed'; readonly message: string };

export interface Commands {
  /** An abort kills the command. */
  run(line: CommandLine, signal: AbortSignal): Promise<CommandOutcome>;
}

export const nodeFiles: Files = {
  async read(path) {
    try {
      return ok(await readFile(path, 'utf8'));
    } catch (error) {
      const kind = thrownCode(error) === 'ENOENT' ? 'missing' : 'unreadable';
      return err({ kind, message: thrownMessage(error) });
    }
  },
};

export const nodeCommands: Commands = {
  async run({ command, args, env, terminal }, signal) {
    const stdin = terminal === 'inherit' ? 'inherit' : 'ignore';
    const stderr = terminal === 'inherit' ? 'inherit' : 'pipe';
    const child = spawn(command, args, { env, signal, stdio: [stdin, 'pipe', stderr] });
    const [stdoutText, stderrText] = [textOf(child.stdout), textOf(child.stderr)];
    const outcome = await new Promise<CommandOutcome | number | null>((resolve) => {
      child.once('error', (error) => {
        const isMissing = thrownCode(error) === 'ENOENT';
        resolve(isMissing ? { kind: 'missing' } : { kind: 'failed', message: error.message });
      });
      child.once('close', resolve);
    });
    // Of a command that was killed, a child of its own may hold the pipes open: its words are not waited for.
    if (outcome !== null && typeof outcome === 'object') return outcome;
    return { kind: 'exited', code: outcome, stdout: await stdoutText, stderr: await stderrText };
  },
};

async function textOf(stream: Readable | null): Promise<string> {
  return stream === null ? '' : text(stream).catch(() => '');
}
