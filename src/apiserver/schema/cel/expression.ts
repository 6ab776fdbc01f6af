// One expression of a rule, parsed by a library and compiled by us, once, when its schema is compiled.

import { Environment, ParseError } from '@marcbachmann/cel-js';
import { err, ok, type Result } from '../../../base/result.ts';
import type { CelType } from './cel-type.ts';
import { type Budget, type Code, ExpressionProblem, Scope } from './code.ts';
import { compileNode } from './compile.ts';
import type { Value } from './value.ts';

export type Expression = {
  readonly usesOldSelf: boolean;
  /** Throws a CelError, or CostExceeded when the budget is used up. */
  readonly evaluate: (variables: Variables, budget: Budget) => Value;
};

export type Variables = { readonly self: Value; readonly oldSelf?: Value | undefined };

export type ExpressionSource = {
  readonly text: string;
  readonly self: CelType;
  readonly oldSelf: CelType;
  readonly result: 'bool' | 'string';
};

/** All that is wrong with an expression is said in one sentence with the place. */
export function compileExpression({
  text,
  self,
  oldSelf,
  result,
}: ExpressionSource): Result<Expression, string> {
  const scope = new Scope({ self, oldSelf });
  const compiled = compileText(text, scope);
  if (compiled.kind === 'error') return compiled;
  const code = compiled.value;
  if (code.type.kind !== result) {
    const words =
      result === 'bool'
        ? 'cel expression must evaluate to a bool'
        : 'messageExpression must evaluate to a string';
    return err(words);
  }
  return ok({
    usesOldSelf: scope.used.has('oldSelf'),
    evaluate: (variables, budget) => {
      const slots = [variables.self];
      if (variables.oldSelf !== undefined) slots[1] = variables.oldSelf;
      return code.run({ slots, budget });
    },
  });
}

function compileText(text: string, scope: Scope): Result<Code, string> {
  try {
    const { ast } = new Environment({ enableOptionalTypes: true }).parse(text);
    return ok(compileNode(ast, scope));
  } catch (error) {
    if (error instanceof ExpressionProblem)
      return err(compilationFailed(text, error.message, error.position));
    if (error instanceof ParseError)
      return err(compilationFailed(text, `Syntax error: ${error.summary}`, error.range?.start ?? 0));
    throw error;
  }
}

function compilationFailed(text: string, words: string, position: number): string {
  const lines = text.slice(0, position).split('\n');
  const column = lines.at(-1)?.length ?? 0;
  const line = text.split('\n')[lines.length - 1] ?? '';
  return `compilation failed: ERROR: <input>:${lines.length}:${column + 1}: ${words}\n | ${line}\n | ${'.'.repeat(column)}^`;
}
