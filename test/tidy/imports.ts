// Every way one file names another: import, export from, import(), import types and the URL of a worker's file.

import { posix } from 'node:path';
import { child, children, rootWordOf, type SourceFile, type SyntaxNode, wordOf } from './source.ts';

export type Import = {
  /** A path from the repository's root, or the name of a package. */
  readonly target: string;
  /** `import { type A }` is a value import: the compiler keeps it, and with it whatever the other file does on loading. */
  readonly kind: 'type' | 'value';
  readonly offset: number;
};

const forms = new Set([
  'ImportDeclaration',
  'ExportNamedDeclaration',
  'ExportAllDeclaration',
  'ImportExpression',
  'TSImportType',
]) as ReadonlySet<string>;

export function importsOf(file: SourceFile): readonly Import[] {
  return file.visits().flatMap(({ node }) => {
    const specifier = specifierOf(node);
    if (specifier === null) return [];
    const target = specifier.startsWith('.') ? posix.join(posix.dirname(file.path), specifier) : specifier;
    return [{ target, kind: kindOf(node), offset: node.start }];
  });
}

function specifierOf(node: SyntaxNode): string | null {
  if (forms.has(node.type)) return wordOf(child(node, 'source'));
  if (node.type !== 'NewExpression' || rootWordOf(node) !== 'URL') return null;
  const [first = null] = children(node, 'arguments');
  const address = wordOf(first);
  return address !== null && /^\..*\.tsx?$/.test(address) ? address : null;
}

function kindOf(node: SyntaxNode): Import['kind'] {
  const isType =
    node.type === 'TSImportType' || node['importKind'] === 'type' || node['exportKind'] === 'type';
  return isType ? 'type' : 'value';
}
