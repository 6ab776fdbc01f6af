// In CEL `==` and `<` bind equally and from the left; the parser binds `<` first. Where the two readings differ the
// expression is refused, because the wrong one could decide about an object.

import type { ASTNode } from '@marcbachmann/cel-js';
import { ExpressionProblem } from './code.ts';

const relations = ['<', '<=', '>', '>=', 'in'];

export function checkPrecedence(node: Extract<ASTNode, { op: '==' | '!=' }>): void {
  const [left, right] = node.args;
  if (!relations.includes(right.op) || isParenthesised(right, left.end)) return;
  const words = `the comparison on the right of ${node.op} needs parentheses around it to be supported here`;
  throw new ExpressionProblem(words, node);
}

/** Whether one pair of parentheses that opens between the two operands closes behind the second. */
function isParenthesised({ input, start, end }: ASTNode, from: number): boolean {
  const opening = input.indexOf('(', from);
  if (opening < 0 || opening >= start) return false;
  let depth = 0;
  for (const token of input.slice(opening).matchAll(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[()]/g)) {
    if (token[0] === '(') depth += 1;
    if (token[0] === ')') depth -= 1;
    if (depth === 0) return opening + token.index >= end;
  }
  return false;
}
