// Nothing is left half done: no notes to oneself in the code, and no test that is skipped or keeps the others from running.

import { isTest, isTypeScript, type Rule, type Violation, violation } from './rule.ts';
import { child, type SourceFile, wordOf } from './source.ts';

// In pieces, so that this file passes its own check.
const note = new RegExp(`\\b(?:${['TO', 'FIX', 'X'].join('|')})(?:DO|ME|XX)\\b`);
const sample = ['TO', 'DO'].join('');
const switches = /^(?:only|skip|todo|skipIf|runIf)$/;

export const unfinished: Rule = {
  name: 'unfinished',
  check: (files) =>
    files.filter(isTypeScript).flatMap((file) => [...checkNotes(file), ...checkSwitches(file)]),
  refuses: {
    'a note to oneself': { 'src/base/a.ts': `// ${sample}: later` },
    'a note in a test': { 'src/base/a.test.ts': `/* ${['FIX', 'ME'].join('')} */` },
    'a test that runs alone': { 'src/base/a.test.ts': `it.only('a', () => {});` },
    'a table that runs alone': { 'src/base/a.test.ts': `describe.only.each(a)('a', () => {});` },
    'a skipped test': { 'test/a.e2e.ts': `test.skip('a', () => {});` },
    'a test that skips itself': { 'test/a.e2e.ts': 'it("a", (context) => context.skip());' },
    'a test that is skipped sometimes': { 'test/a.e2e.ts': `it.skipIf(isMac)('a', () => {});` },
    'a test that is still to be written': { 'src/base/a.test.ts': `it.todo('a');` },
  },
  accepts: {
    'a word that contains a note': { 'src/base/a.ts': `// METHODO ${sample}S` },
    'members of other names in production': { 'src/base/a.ts': 'stream.skip(1);' },
    'a test': { 'src/base/a.test.ts': `it('says it.only( in words', () => {});` },
  },
};

function checkNotes(file: SourceFile): readonly Violation[] {
  const found = note.exec(file.text);
  return found === null ? [] : [violation(file, found.index, `leaves a ${found[0]}; do it now or drop it`)];
}

function checkSwitches(file: SourceFile): readonly Violation[] {
  if (!isTest(file)) return [];
  return file.visits().flatMap(({ node }) => {
    const name = node.type === 'MemberExpression' ? (wordOf(child(node, 'property')) ?? '') : '';
    if (!switches.test(name)) return [];
    return [violation(file, node.start, `switches tests off with .${name}; make it pass or delete it`)];
  });
}
