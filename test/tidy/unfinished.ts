// Nothing is left half done: no notes to oneself in the code, and no test that is skipped or keeps the others from running.

import { inspect, isTest, isTypeScript, type Rule, type Violation, violation } from './rule.ts';
import { child, type SourceFile, type Visit, wordOf } from './source.ts';

// Spelled so that this file passes its own check.
const note = /\b(?:TOD[O]|FIXM[E]|XX[X])\b/g;
const sample = ['TO', 'DO'].join('');
const switches = /^(?:only|skip|todo|skipIf|runIf)$/;

export const unfinished: Rule = {
  name: 'unfinished',
  check(files) {
    const ours = files.filter(isTypeScript);
    return [...ours.flatMap(checkNotes), ...inspect(ours.filter(isTest), complaintAboutSwitch)];
  },
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
  const found = [...file.text.matchAll(note)];
  return found.map(({ 0: word, index }) => violation(file, index, `leaves a ${word}; do it now or drop it`));
}

function complaintAboutSwitch({ node }: Visit): string | null {
  const name = node.type === 'MemberExpression' ? (wordOf(child(node, 'property')) ?? '') : '';
  return switches.test(name) ? `switches tests off with .${name}; make it pass or delete it` : null;
}
