import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { mutants } from './mutants.ts';
import { oracles } from './oracles.ts';

type Line = {
  readonly name: string;
  readonly caught: { readonly runs: number; readonly message: string; readonly error?: string } | null;
};

const script = join(import.meta.dirname, 'mutants', 'check.ts');

async function huntAll(): Promise<ReadonlyMap<string, Line['caught']>> {
  const { stdout } = await promisify(execFile)(process.execPath, [script], { maxBuffer: 2 ** 24 });
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
  return new Map(lines.map(({ name, caught }) => [name, caught]));
}

describe('a planted bug', async () => {
  const caught = await huntAll();

  it.each(mutants.map(({ name, caughtBy }) => [name, caughtBy] as const))('%s is caught by %s', (name) => {
    expect(caught.get(name)).toMatchObject({ message: expect.any(String), runs: expect.any(Number) });
  });

  it('has a name of its own and an oracle that exists', () => {
    const names = oracles.map(({ name }) => name);
    expect(new Set(mutants.map(({ name }) => name)).size).toBe(mutants.length);
    expect(mutants.filter(({ caughtBy }) => !names.includes(caughtBy))).toEqual([]);
    expect(mutants.length).toBeGreaterThanOrEqual(60);
  });

  it('is there for every oracle', () => {
    const used = new Set(mutants.map(({ caughtBy }) => caughtBy));
    expect(oracles.filter(({ name }) => !used.has(name)).map(({ name }) => name)).toEqual([]);
  });
});
