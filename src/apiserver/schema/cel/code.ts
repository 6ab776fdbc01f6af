// What an expression is compiled into: a type and a function over a frame. Parts of the compiler in other files take
// the compiler as an argument, because each of them can hold any expression.

import type { ASTNode } from '@marcbachmann/cel-js';
import type { CelType } from './cel-type.ts';
import { CelError, CostExceeded, type Value } from './value.ts';

export type Code = { readonly type: CelType; readonly run: (frame: Frame) => Value };

/** One evaluation. */
export type Frame = { readonly slots: Value[]; readonly budget: Budget };

export type Compile = (node: ASTNode, scope: Scope) => Code;

/** What an evaluation may still cost. The unit is about one step; long texts and lists cost more. */
export class Budget {
  #left: number;

  constructor(units: number) {
    this.#left = units;
  }

  charge(units: number): void {
    this.#left -= units;
    if (this.#left < 0) throw new CostExceeded('operation cancelled: actual cost limit exceeded');
  }

  get left(): number {
    return this.#left;
  }
}

/** The variables that an expression can see. */
export class Scope {
  readonly #parent: Scope | null;
  readonly #variables = new Map<string, { readonly slot: number; readonly type: CelType }>();
  readonly #depth: number;
  readonly #used: Set<string>;

  constructor(variables: Readonly<Record<string, CelType>>, parent: Scope | null = null) {
    this.#parent = parent;
    this.#used = parent === null ? new Set() : parent.#used;
    let slot = parent === null ? 0 : parent.#depth;
    for (const [name, type] of Object.entries(variables)) this.#variables.set(name, { slot: slot++, type });
    this.#depth = slot;
  }

  find(name: string): { readonly slot: number; readonly type: CelType } | null {
    const own = this.#variables.get(name);
    if (own === undefined) return this.#parent?.find(name) ?? null;
    if (this.#parent === null) this.#used.add(name);
    return own;
  }

  /** Of the outermost variables, those that some expression reads. */
  get used(): ReadonlySet<string> {
    return this.#used;
  }
}

/** What is wrong with an expression, where it stands. */
export class ExpressionProblem extends Error {
  override readonly name = 'ExpressionProblem';
  readonly position: number;

  constructor(message: string, node: ASTNode) {
    super(message);
    this.position = node.pos;
  }
}

/** The value, or the error that it failed with: for operators that can do without one of their operands. */
export function attempt(code: Code, frame: Frame): Value | CelError {
  try {
    return code.run(frame);
  } catch (error) {
    if (error instanceof CelError) return error;
    throw error;
  }
}

/** About what it costs to look at a value once. */
export function sizeOf(value: Value): number {
  if (typeof value === 'string') return 1 + value.length / 10;
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return 1;
  if (value.kind === 'list') return 1 + value.items.length;
  return value.kind === 'map' ? 1 + value.entries.size : 1;
}
