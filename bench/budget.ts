// A budget: what was measured, the bound it is held against, and the words for both. Pure.

import { formatNumber } from './text-table.ts';

export type Budget = {
  readonly what: string;
  readonly measured: number;
  readonly bound: 'at least' | 'at most';
  readonly limit: number;
  readonly unit: string;
  readonly digits: number;
};

export function isMet({ measured, bound, limit }: Budget): boolean {
  return bound === 'at least' ? measured >= limit : measured <= limit;
}

export function shortfallsOf(budgets: readonly Budget[]): readonly string[] {
  return budgets
    .filter((budget) => !isMet(budget))
    .map(({ what, measured, bound, limit, unit, digits }) => {
      return `Budget missed: ${what}: ${measured.toFixed(digits)} ${unit}, but ${bound} ${limit} ${unit} are wanted.`;
    });
}

/** A toy shows that nothing crashes; its figures are held against nothing. */
export const uncheckedWords = 'budgets are not checked at this size';

export function formatBudgets(budgets: readonly Budget[]): string {
  return budgets
    .map((budget) => {
      const { what, measured, bound, limit, unit, digits } = budget;
      const verdict = isMet(budget) ? 'ok    ' : 'MISSED';
      return `${verdict}  ${what}: ${formatNumber(measured, digits)}, ${bound} ${formatNumber(limit, Number.isInteger(limit) ? 0 : digits)} ${unit}`;
    })
    .join('\n');
}
