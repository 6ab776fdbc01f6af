// `npm run bench -- verification`: how soon nodes that join together are verified on a real control plane, within the limits
// of workers, and whether what the operator holds grows with nodes that come and go.

import type { Bench } from '../bench.ts';
import { formatBudgets, shortfallsOf, uncheckedWords } from '../budget.ts';
import { budgetsOf } from './budgets.ts';
import { measure } from './measure.ts';
import { type Plan, planFlags, planOf } from './plan.ts';
import { formatFigures, formatSetting } from './report.ts';

export const verificationBench: Bench = {
  name: 'verification',
  summary: 'verifying nodes that join together, and nodes that come and go, on a real control plane',
  flags: planFlags,
  run: (values) => runVerification(planOf(values)),
};

async function runVerification(plan: Plan): Promise<readonly string[]> {
  print(formatSetting(plan));
  const figures = await measure(plan);
  print(formatFigures(figures));
  const budgets = budgetsOf(plan, figures);
  print(plan.areBudgetsChecked ? formatBudgets(budgets) : uncheckedWords);
  return plan.areBudgetsChecked ? shortfallsOf(budgets) : [];
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
