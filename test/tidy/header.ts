// Every shipped file opens with one to four lines: what it is for and what it must never do.

import { isProduction, type Rule, type Violation, violation } from './rule.ts';
import type { SourceFile } from './source.ts';

const linesMax = 4;
const opening = /^(?:#!.*\n)?((?:\/\/.*(?:\n|$))+|\/\*[^]*?\*\/)/;
// A message to a tool tells a reader nothing.
const directive = /^\/[/*]+ *(?:@ts-|oxlint-|biome-|eslint-)/;

export const header: Rule = {
  name: 'header',
  check: (files) => files.filter(isProduction).flatMap(checkFile),
  refuses: {
    'a file without a header': { 'src/base/a.ts': 'export const a = 1;' },
    'a file that opens with an import': { 'src/base/a.ts': `import { b } from './b.ts';\n// Says what.` },
    'a file that opens with a blank line': { 'src/base/a.ts': '\n// Says what.' },
    'a directive in place of a header': { 'src/base/a.ts': '// @ts-nocheck\nexport const a = 1;' },
    'a header of five lines': { 'src/base/a.ts': '// One.\n'.repeat(5) },
    'a header of five lines, one of them bare': {
      'src/base/a.ts': '// One.\n//\n// Two.\n// Three.\n// Four.',
    },
    'a block of five lines': { 'src/base/a.ts': '/*\n one\n two\n three\n*/' },
  },
  accepts: {
    'one line': { 'src/base/a.ts': '// Says what.\nexport const a = 1;' },
    'four lines': { 'src/base/a.ts': '// One.\n'.repeat(4) },
    'a block of four lines': { 'src/base/a.ts': '/*\n one\n two\n*/' },
    'a script': { 'src/bin/a.ts': '#!/usr/bin/env node\n// Says what.' },
    'a test without one': { 'src/base/a.test.ts': 'export const a = 1;' },
  },
};

function checkFile(file: SourceFile): readonly Violation[] {
  const comment = opening.exec(file.text)?.[1]?.trimEnd();
  if (comment === undefined || directive.test(comment)) {
    return [violation(file, 0, 'opens without a comment; say what it is for and what it must never do')];
  }
  const count = comment.split('\n').length;
  if (count <= linesMax) return [];
  return [violation(file, 0, `opens with ${count} lines of comment of at most ${linesMax}; say less`)];
}
