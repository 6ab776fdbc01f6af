// `npm run bench -- sync`: how long it takes to know a whole fleet, what that costs, and what following it costs from then
// on. Muster beside the bare transport, which is the floor, and beside the official JavaScript client.

import type { Bench } from '../bench.ts';
import { bundle } from '../bundle.ts';
import { budgetsOf, shortfallsOf } from './budgets.ts';
import { type Plan, planFlags, planOf } from './plan.ts';
import { formatBudgets, formatFigures, formatFootprint, formatSetting } from './report.ts';
import { measureFootprint, measureRound, type Round, sources, startServer } from './rounds.ts';

export const syncBench: Bench = {
  name: 'sync',
  summary: 'a whole fleet of nodes from the API server into a cache, relists and churn',
  flags: planFlags,
  run: (values) => runSync(planOf(values)),
};

async function runSync(plan: Plan): Promise<readonly string[]> {
  const files = await bundle(sources);
  const server = await startServer(plan);
  try {
    say(formatSetting(plan, server.bytes));
    const rounds: Round[] = [];
    for (let run = 1; run <= plan.runs; run += 1) {
      process.stderr.write(`run ${run} of ${plan.runs}\n`);
      rounds.push(await measureRound({ plan, server, files }));
    }
    const budgets = budgetsOf(plan, rounds);
    say(formatFigures(plan, rounds), formatFootprint(await measureFootprint(plan, files)));
    say(formatBudgets(plan, budgets));
    return plan.areBudgetsChecked ? shortfallsOf(budgets) : [];
  } finally {
    server.stop();
    await files.remove();
  }
}

function say(...texts: readonly string[]): void {
  process.stdout.write(`${texts.join('\n')}\n`);
}
