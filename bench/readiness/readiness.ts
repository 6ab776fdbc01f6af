// `npm run bench -- readiness`: how long the operator takes to gate and to release a fleet on a real control plane, next to a
// client that does only the Node patches, and what its reports cost.

import type { Bench } from '../bench.ts';
import { formatBudgets, shortfallsOf, uncheckedWords } from '../budget.ts';
import { budgetsOf } from './budgets.ts';
import { measureSize } from './measure.ts';
import { type Plan, planFlags, planOf } from './plan.ts';
import { formatFigures, formatSetting } from './report.ts';

export const readinessBench: Bench = {
  name: 'readiness',
  summary: 'gating and releasing a fleet on a real control plane, next to a client that only patches',
  flags: planFlags,
  run: (values) => runReadiness(planOf(values)),
};

async function runReadiness(plan: Plan): Promise<readonly string[]> {
  print(formatSetting(plan));
  const figures = await measureSize(plan);
  print(formatFigures(figures));
  const other = plan.compareWith === null ? null : await measureSize({ ...plan, nodes: plan.compareWith });
  if (other !== null) print(formatFigures(other));
  const budgets = budgetsOf(figures, other);
  print(plan.areBudgetsChecked ? formatBudgets(budgets) : uncheckedWords);
  return plan.areBudgetsChecked ? shortfallsOf(budgets) : [];
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
