// Mistakes in literals that can be seen before a rule runs: durations, times, regular expressions and formats.

import type { ASTNode } from '@marcbachmann/cel-js';
import { parseDuration, parseRfc3339 } from '../go-time.ts';
import { compileRegExp } from '../regular-expression.ts';
import { ExpressionProblem } from './code.ts';
import { checkFormat } from './strings.ts';

type Application = { readonly name: string; readonly args: readonly ASTNode[]; readonly node: ASTNode };

export function checkLiterals({ name, args, node }: Application): void {
  const [first, second] = args.map(textOf);
  const problem = problemOf(name, first ?? null, second ?? null);
  if (problem !== null) throw new ExpressionProblem(problem, node);
}

function problemOf(name: string, first: string | null, second: string | null): string | null {
  switch (name) {
    case 'duration':
      return first !== null && parseDuration(first) === null ? 'invalid duration argument' : null;
    case 'timestamp':
      return first !== null && parseRfc3339(first) === null ? 'invalid timestamp argument' : null;
    case 'matches':
    case 'find':
    case 'findAll': {
      const compiled = second === null ? null : compileRegExp(second);
      return compiled?.kind === 'error' ? `invalid ${name} argument: ${compiled.error}` : null;
    }
    case 'format': {
      if (first === null) return 'format on anything but a literal is not supported here';
      const checked = checkFormat(first);
      return checked.kind === 'error' ? checked.error : null;
    }
    default:
      return null;
  }
}

function textOf(node: ASTNode): string | null {
  return node.op === 'value' && typeof node.args === 'string' ? node.args : null;
}
