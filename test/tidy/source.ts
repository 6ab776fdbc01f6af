// A file of the repository as the rules see it: its text, and its syntax tree, parsed once and only when a rule asks.
// The parser is the test runner's own, because TypeScript 7 has no compiler API. Knows no rule.

import { parseAst } from 'vitest/node';

export type SyntaxNode = {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
};

/** A node and where it hangs: `field` is the name under which its parent holds it. */
export type Visit = { readonly node: SyntaxNode; readonly parent: SyntaxNode | null; readonly field: string };

export type SourceFile = {
  readonly path: string;
  readonly text: string;
  readonly visits: () => readonly Visit[];
};

export function sourceFile(path: string, text: string): SourceFile {
  let visits: readonly Visit[] | null = null;
  return { path, text, visits: () => (visits ??= walk(parse(path, text))) };
}

function parse(path: string, text: string): SyntaxNode {
  try {
    const program: unknown = parseAst(
      text,
      { lang: path.endsWith('x') ? 'tsx' : 'ts', sourceType: 'module' },
      path,
    );
    if (isNode(program)) return program;
  } catch (cause) {
    throw new Error(`${path} cannot be parsed`, { cause });
  }
  throw new Error('the parser no longer answers with a syntax tree');
}

/** A node and everything below it, in source order; what is not entered is left out with its children. */
export function walk(
  root: SyntaxNode,
  isEntered: (node: SyntaxNode) => boolean = () => true,
): readonly Visit[] {
  const found: Visit[] = [];
  const visit = (node: SyntaxNode, parent: SyntaxNode | null, field: string): void => {
    if (!isEntered(node)) return;
    found.push({ node, parent, field });
    for (const [name, value] of Object.entries(node)) {
      if (Array.isArray(value)) {
        for (const entry of value) if (isNode(entry)) visit(entry, node, name);
      } else if (isNode(value)) {
        visit(value, node, name);
      }
    }
  };
  visit(root, null, '');
  return found;
}

export function child(node: SyntaxNode | null, field: string): SyntaxNode | null {
  const value = node?.[field];
  return isNode(value) ? value : null;
}

export function children(node: SyntaxNode | null, field: string): readonly SyntaxNode[] {
  const value = node?.[field];
  return Array.isArray(value) ? value.filter(isNode) : [];
}

/** What an identifier or a string literal says; null for every other node. */
export function wordOf(node: SyntaxNode | null): string | null {
  const value = node?.type === 'Identifier' ? node['name'] : node?.type === 'Literal' ? node['value'] : null;
  return typeof value === 'string' ? value : null;
}

/** The identifier that a chain of members and calls starts with: `describe` of `describe.each(rows)`. */
export function rootWordOf(node: SyntaxNode | null): string | null {
  const inner = child(node, 'object') ?? child(node, 'callee') ?? child(node, 'tag');
  return inner === null ? wordOf(node) : rootWordOf(inner);
}

export function isFunction(node: SyntaxNode): boolean {
  return /^(?:Function(?:Declaration|Expression)|ArrowFunctionExpression)$/.test(node.type);
}

export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}
