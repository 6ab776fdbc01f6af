// Reads a label selector of a query, token by token as the real server does, so that a wrong one is refused in the same words.

import { err, ok, type Result } from '../../base/result.ts';
import { labelValueProblems, qualifiedNameProblems } from '../registry/names.ts';
import type { LabelQuery, Requirement } from './label-query.ts';

export function parseLabelQuery(text: string): Result<LabelQuery, string> {
  try {
    return ok(new Parser(text).all());
  } catch (error) {
    if (error instanceof Unreadable) return err(error.message);
    throw error;
  }
}

/** Ends the reading at the first thing that cannot be read. */
class Unreadable extends Error {
  override readonly name = 'Unreadable';
}

type Token = { readonly kind: 'word' | 'symbol' | 'end'; readonly text: string };

const TOKENS = /\s*(==|!=|[=!(),<>]|[^\s=!(),<>]+)/gy;
const OPERATORS: Readonly<Record<string, Requirement['operator']>> = {
  in: 'in',
  notin: 'notin',
  '=': 'in',
  '==': 'in',
  '!=': 'notin',
  '>': 'gt',
  '<': 'lt',
};
const END: Token = { kind: 'end', text: '' };

class Parser {
  readonly #tokens: readonly Token[];
  #next = 0;

  constructor(text: string) {
    this.#tokens = [...text.matchAll(TOKENS)].map(([, token = '']) => ({
      kind: /^[=!(),<>]/.test(token) ? 'symbol' : 'word',
      text: token,
    }));
  }

  all(): LabelQuery {
    const requirements: Requirement[] = [];
    while (this.#peek().kind !== 'end') {
      if (!this.#isRequirement()) throw this.#expected("!, identifier, or 'end of string'");
      requirements.push(this.#requirement());
      const separator = this.#take();
      if (separator.kind === 'end') break;
      if (separator.text !== ',') throw unreadable(separator, "',' or 'end of string'");
      if (!this.#isRequirement()) throw this.#expected("identifier after ','");
    }
    return requirements;
  }

  #isRequirement(): boolean {
    const { kind, text } = this.#peek();
    return kind === 'word' || text === '!';
  }

  #requirement(): Requirement {
    try {
      return this.#term();
    } catch (error) {
      if (error instanceof Unreadable) throw new Unreadable(`unable to parse requirement: ${error.message}`);
      throw error;
    }
  }

  #term(): Requirement {
    const isNot = this.#peek().text === '!' && this.#take() !== END;
    const key = this.#word('identifier');
    const problems = qualifiedNameProblems(key);
    if (problems.length > 0) throw invalid('<nil>', key, problems);
    if (isNot) return { key, operator: 'absent', values: [] };
    if (this.#isOver()) return { key, operator: 'exists', values: [] };
    const sign = this.#take();
    const operator = OPERATORS[sign.text];
    if (operator === undefined)
      throw unreadable(sign, Object.keys(OPERATORS).slice(0, 5).join(', ') + ', gt, lt');
    const values = sign.kind === 'word' ? this.#list() : [this.#value()];
    checkValues({ key, operator, values });
    return { key, operator, values };
  }

  #value(): string {
    return this.#isOver() ? '' : this.#word('identifier');
  }

  /** An empty place between commas or parentheses is the empty value. */
  #list(): readonly string[] {
    const open = this.#take();
    if (open.text !== '(') throw new Unreadable(`found '${open.text}' expected: '('`);
    const values = new Set<string>();
    for (;;) {
      const isEmpty = this.#peek().text === ',' || this.#peek().text === ')';
      values.add(isEmpty ? '' : this.#word("',', ')' or identifier"));
      const end = this.#take();
      if (end.text === ')') return [...values].sort();
      if (end.text !== ',') throw unreadable(end, "',' or ')'");
    }
  }

  #word(wanted: string): string {
    const token = this.#take();
    if (token.kind !== 'word') throw unreadable(token, wanted);
    return token.text;
  }

  #isOver(): boolean {
    const { kind, text } = this.#peek();
    return kind === 'end' || text === ',';
  }

  #peek(): Token {
    return this.#tokens[this.#next] ?? END;
  }

  #take(): Token {
    const token = this.#peek();
    this.#next++;
    return token;
  }

  #expected(wanted: string): Unreadable {
    return unreadable(this.#peek(), wanted);
  }
}

function checkValues({ key, operator, values }: Requirement): void {
  for (const [index, value] of values.entries()) {
    if ((operator === 'gt' || operator === 'lt') && !/^[+-]?\d+$/.test(value))
      throw invalid(`values[${index}]`, value, ["for 'Gt', 'Lt' operators, the value must be an integer"]);
    const problems = labelValueProblems(value);
    if (problems.length > 0) throw invalid(`values[${index}][${key}]`, value, problems);
  }
}

function unreadable(token: Token, wanted: string): Unreadable {
  return new Unreadable(`found '${token.text}', expected: ${wanted}`);
}

function invalid(path: string, value: string, problems: readonly string[]): Unreadable {
  return new Unreadable(`${path}: Invalid value: ${JSON.stringify(value)}: ${problems.join('; ')}`);
}
