// Holds rules against files and the list of exceptions against both. Pure; the test prints what it returns.

import type { Allowance } from './allowed.ts';
import type { Rule, Violation } from './rule.ts';
import type { SourceFile } from './source.ts';

const reasonLengthMin = 15;

/** One line per violation that no entry of the list excuses. */
export function judge(
  rule: Rule,
  files: readonly SourceFile[],
  allowances: readonly Allowance[],
): readonly string[] {
  const excused = new Set(allowances.filter((entry) => entry.rule === rule.name).map(({ file }) => file));
  return rule
    .check(files)
    .filter(({ file }) => !excused.has(file))
    .sort((a, b) => (a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1))
    .map((violation) => describeViolation(rule, violation));
}

function describeViolation(rule: Rule, { file, line, message }: Violation): string {
  return `${file}:${line} [${rule.name}] ${message}`;
}

/** One line per entry of the list that is without a reason or without a use. */
export function judgeAllowances(
  rules: readonly Rule[],
  files: readonly SourceFile[],
  allowances: readonly Allowance[],
): readonly string[] {
  return allowances.flatMap(({ rule: name, file, reason }) => {
    const entry = `the exception of ${file} from ${name}`;
    const isUsed = rules.some(
      (rule) => rule.name === name && rule.check(files).some((found) => found.file === file),
    );
    return [
      ...(reason.length < reasonLengthMin
        ? [`${entry} has no reason worth ${reasonLengthMin} characters`]
        : []),
      ...(isUsed ? [] : [`${entry} excuses nothing; delete it`]),
    ];
  });
}
