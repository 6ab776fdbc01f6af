// `npm run bench -- <name> [flags]`: runs one bench. Exit code 0 when every budget is met, 1 when one is not or the bench
// failed, 2 when the command is wrong.

import { parseArgs } from 'node:util';
import { type Bench, type FlagValues, UsageError } from './bench.ts';
import { apiserverBench } from './apiserver/apiserver.ts';
import { explainBench } from './explain/explain.ts';
import { readinessBench } from './readiness/readiness.ts';
import { syncBench } from './sync/sync.ts';
import { verificationBench } from './verification/verification.ts';

const benches: readonly Bench[] = [
  syncBench,
  apiserverBench,
  explainBench,
  readinessBench,
  verificationBench,
];

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  const isUsage = error instanceof UsageError;
  process.stderr.write(`${isUsage ? error.message : (error as Error).stack}\n`);
  process.exitCode = isUsage ? 2 : 1;
}

async function main([name, ...args]: readonly string[]): Promise<number> {
  if (name === '--help' || name === '-h') return help();
  const bench = benches.find((candidate) => candidate.name === name);
  if (bench === undefined) throw new UsageError(`${name ?? 'nothing'} is not a bench; ${knownBenches()}.`);
  const values = flagsOf(bench, args);
  if (values['help'] === true) return help();
  const shortfalls = await bench.run(values);
  for (const shortfall of shortfalls) process.stderr.write(`${shortfall}\n`);
  return shortfalls.length === 0 ? 0 : 1;
}

function flagsOf(bench: Bench, args: readonly string[]): FlagValues {
  const options = { ...bench.flags, help: { type: 'boolean' } } as const;
  try {
    return parseArgs({ args: [...args], options, strict: true, allowPositionals: false }).values;
  } catch (error) {
    throw new UsageError(`${bench.name}: ${(error as Error).message}; --help lists the flags.`);
  }
}

function help(): number {
  process.stdout.write('npm run bench -- <name> [flags]\n');
  for (const { name, summary, flags } of benches) {
    const rows = Object.entries(flags).map(([flag, { help: words }]) => `  --${flag}`.padEnd(22) + words);
    process.stdout.write(`\n${name}: ${summary}\n${rows.join('\n')}\n`);
  }
  return 0;
}

function knownBenches(): string {
  return `known are ${benches.map(({ name }) => name).join(', ')}`;
}
