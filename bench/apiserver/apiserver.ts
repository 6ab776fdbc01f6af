// `npm run bench -- apiserver`: how many writes the embedded server takes on one core while it holds a fleet and others
// watch, whether its event loop stays free, and what a new server in a simulated world costs.

import type { Bench } from '../bench.ts';
import { formatBudgets, shortfallsOf, uncheckedWords } from '../budget.ts';
import { bundle } from '../bundle.ts';
import { budgetsOf } from './budgets.ts';
import { type Plan, planFlags, planOf } from './plan.ts';
import { formatByClock, formatFigures, formatSetting, formatWorlds } from './report.ts';
import { measureRound, measureWorlds, type Round, sources } from './rounds.ts';

export const apiserverBench: Bench = {
  name: 'apiserver',
  summary: 'writes, reads and watches on the embedded API server, and how soon a new one is there',
  flags: planFlags,
  run: (values) => runApiserver(planOf(values)),
};

async function runApiserver(plan: Plan): Promise<readonly string[]> {
  const files = await bundle(sources);
  try {
    say(formatSetting(plan));
    const rounds: Round[] = [];
    for (let run = 1; run <= plan.runs; run += 1) {
      process.stderr.write(`run ${run} of ${plan.runs}\n`);
      rounds.push(await measureRound({ plan, files }));
    }
    const worlds = await measureWorlds({ plan, files });
    const budgets = budgetsOf(plan, { rounds, worlds });
    const verdict = plan.areBudgetsChecked ? formatBudgets(budgets) : uncheckedWords;
    say(formatFigures(rounds), formatWorlds(worlds), formatByClock(rounds), verdict);
    return plan.areBudgetsChecked ? shortfallsOf(budgets) : [];
  } finally {
    await files.remove();
  }
}

function say(...texts: readonly string[]): void {
  process.stdout.write(`${texts.join('\n')}\n`);
}
