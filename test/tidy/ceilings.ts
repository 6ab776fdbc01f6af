// How long a file and a function may be, and how many parameters a function may take. A suite is not a function:
// the callback of `describe` is a heading with tests below it, so its lines count for nobody.

import { inspect, isProduction, isTypeScript, type Rule, type Violation, violation } from './rule.ts';
import { child, children, isFunction, rootWordOf, type SourceFile, type Visit, wordOf } from './source.ts';

const fileLinesMax = 300;
const functionLinesMax = 70;
const parametersMax = 3;

const lines = (count: number) => 'f();\n'.repeat(count);
const suite = `describe('a', () => {\n${lines(200)}});`;

export const ceilings: Rule = {
  name: 'ceilings',
  check(files) {
    const ours = files.filter(isTypeScript);
    return [
      ...ours.flatMap(checkFile),
      ...ours.flatMap(checkFunctions),
      ...inspect(ours, complaintAboutParameters),
    ];
  },
  refuses: {
    'a file of 301 lines': { 'src/base/a.ts': lines(301) },
    'a function of 71 lines': { 'src/base/a.ts': `function a() {\n${lines(69)}}` },
    'a method of 71 lines': { 'src/base/a.ts': `class A { a() {\n${lines(69)}} }` },
    'a callback of 71 lines': { 'src/base/a.ts': `each(() => {\n${lines(69)}});` },
    'a test of 71 lines': { 'src/base/a.test.ts': `it('a', () => {\n${lines(69)}});` },
    'a long describe in production': { 'src/base/a.ts': suite },
    'a function of four parameters': { 'src/base/a.ts': 'function a(b, c, d, e) {}' },
    'a named arrow function of four parameters': { 'src/base/a.ts': 'const a = (b, c, d, e) => b;' },
    'a constructor of four parameters': { 'src/base/a.ts': 'class A { constructor(b, c, d, e) {} }' },
    'a port with a method of four parameters': {
      'src/base/a.ts': 'interface A { a(b: B, c: C, d: D, e: E): void }',
    },
  },
  accepts: {
    'a file of 300 lines': { 'src/base/a.ts': lines(300) },
    'a function of 70 lines': { 'src/base/a.ts': `function a() {\n${lines(68)}}` },
    'a function of three parameters': { 'src/base/a.ts': 'function a(this: A, b, c, ...d) {}' },
    'a callback whose parameters are given': {
      'src/base/a.ts': 'rows.reduce((sum, row, index, all) => sum, 0);',
    },
    'a long describe': { 'src/base/a.test.ts': suite },
    'a long describe of a table': { 'src/base/a.test.ts': `describe.each(a)('a', () => {\n${lines(200)}});` },
    'a contract suite that holds a long describe': {
      'test/contract.ts': `function contract() {\n${suite}\n}`,
    },
  },
};

function checkFile(file: SourceFile): readonly Violation[] {
  const count = file.text.replace(/\n$/, '').split('\n').length;
  if (count <= fileLinesMax) return [];
  return [violation(file, 0, `has ${count} lines of at most ${fileLinesMax}; split it by concern`)];
}

function checkFunctions(file: SourceFile): readonly Violation[] {
  const functions = file.visits().filter(({ node }) => isFunction(node) && node['expression'] !== true);
  const suites = isProduction(file) ? [] : functions.filter(isSuite);
  return functions
    .filter((visit) => !suites.includes(visit))
    .flatMap((visit) => {
      const count = linesOf(file, visit) - linesWithin(file, visit, suites);
      if (count <= functionLinesMax) return [];
      const message = `${nameOf(visit)} has ${count} lines of at most ${functionLinesMax}; name its parts as functions`;
      return [violation(file, visit.node.start, message)];
    });
}

function isSuite({ parent, field }: Visit): boolean {
  return parent?.type === 'CallExpression' && field === 'arguments' && rootWordOf(parent) === 'describe';
}

function linesOf(file: SourceFile, { node }: Visit): number {
  return file.text.slice(node.start, node.end).split('\n').length;
}

/** Lines of the suites inside a function, a suite within a suite counted once. */
function linesWithin(file: SourceFile, outer: Visit, suites: readonly Visit[]): number {
  const holds = (a: Visit, b: Visit) => a !== b && a.node.start <= b.node.start && b.node.end <= a.node.end;
  return suites
    .filter((suite) => holds(outer, suite) && !suites.some((other) => holds(other, suite)))
    .reduce((sum, suite) => sum + linesOf(file, suite), 0);
}

function complaintAboutParameters(visit: Visit): string | null {
  const count = children(visit.node, 'params').filter((parameter) => wordOf(parameter) !== 'this').length;
  if (count <= parametersMax || !hasOwnSignature(visit)) return null;
  return `${nameOf(visit)} takes ${count} parameters of at most ${parametersMax}; pass one object`;
}

/** A callback takes what its caller gives; type parameters are called params too. */
function hasOwnSignature({ node, field }: Visit): boolean {
  if (node.type.startsWith('TSTypeParameter')) return false;
  return !isFunction(node) || field !== 'arguments';
}

function nameOf({ node, parent }: Visit): string {
  const name = wordOf(child(node, 'id') ?? child(node, 'key') ?? child(parent, 'id') ?? child(parent, 'key'));
  return name ?? 'a function';
}
