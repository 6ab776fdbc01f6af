// The house rules as a failing test over the repository's own files, and for each rule the proof that it can fail.

import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { allowed } from './tidy/allowed.ts';
import { judge, judgeAllowances } from './tidy/judge.ts';
import { readRepository } from './tidy/repository.ts';
import type { Example, Rule } from './tidy/rule.ts';
import { rules } from './tidy/rules.ts';
import { type SourceFile, sourceFile } from './tidy/source.ts';

const repository = readRepository(join(import.meta.dirname, '..'));

const filesOf = (example: Example): readonly SourceFile[] =>
  Object.entries(example).map(([path, text]) => sourceFile(path, text));

describe.each(rules)('$name', (rule) => {
  it('is kept by every file of the repository', () => {
    expect(judge(rule, repository, allowed)).toEqual([]);
  });

  it.each(Object.entries(rule.refuses))('refuses %s', (_sentence, example) => {
    expect(judge(rule, filesOf(example), [])).toHaveLength(1);
  });

  it.each(Object.entries(rule.accepts))('accepts %s', (_sentence, example) => {
    expect(judge(rule, filesOf(example), [])).toEqual([]);
  });
});

describe('the list of rules', () => {
  it('gives every rule its own name and at least one example that it refuses', () => {
    expect(new Set(rules.map(({ name }) => name)).size).toBe(rules.length);
    for (const rule of rules) expect(Object.keys(rule.refuses), rule.name).not.toEqual([]);
  });
});

describe('the repository', () => {
  it('is read with its sources, its tests and its other texts', () => {
    const paths = repository.map(({ path }) => path);
    expect(paths).toEqual(expect.arrayContaining(['src/base/clock.ts', 'test/tidy.test.ts', 'package.json']));
  });

  it('is read without what git ignores', () => {
    expect(repository.filter(({ path }) => path.includes('node_modules/'))).toEqual([]);
  });
});

describe('a violation', () => {
  const rule = ruleNamed('forms');

  it('names the file, the line, the rule and what to do instead', () => {
    const file = sourceFile('src/base/a.ts', `// ünïcode 🙂\nconst a = \`\n\`;\nexport default a;\n`);
    expect(judge(rule, [file], [])).toEqual([
      'src/base/a.ts:4 [forms] has a default export; export it by name',
    ]);
  });

  it('is listed by file and then by line', () => {
    const files = filesOf({ 'src/b.ts': 'enum A {}', 'src/a.ts': 'enum A {}\n\n\n\n\n\n\n\n\nenum B {}' });
    const places = judge(rule, files, []).map((line) => line.split(' ')[0]);
    expect(places).toEqual(['src/a.ts:1', 'src/a.ts:10', 'src/b.ts:1']);
  });

  it('stops the run when a file is not TypeScript at all', () => {
    expect(() => judge(rule, [sourceFile('src/a.ts', 'const = ;')], [])).toThrow('src/a.ts cannot be parsed');
  });
});

describe('the list of exceptions', () => {
  const flaw = filesOf({ 'src/a.ts': 'enum A {}' });
  const entry = { rule: 'forms', file: 'src/a.ts', reason: 'a foreign interface asks for it' };

  it('has a reason and a use for every entry', () => {
    expect(judgeAllowances(rules, repository, allowed)).toEqual([]);
  });

  it('excuses a violation of that rule in that file', () => {
    expect(judge(ruleNamed('forms'), flaw, [entry])).toEqual([]);
    expect(judgeAllowances(rules, flaw, [entry])).toEqual([]);
  });

  it.each([
    ['another file', { ...entry, file: 'src/b.ts' }],
    ['another rule', { ...entry, rule: 'header' }],
  ])('excuses nothing for %s', (_sentence, other) => {
    expect(judge(ruleNamed('forms'), flaw, [other])).toHaveLength(1);
  });

  it.each([
    ['that excuses nothing', { ...entry, file: 'src/b.ts' }],
    ['of a rule that does not exist', { ...entry, rule: 'colour' }],
    ['without a proper reason', { ...entry, reason: 'needed for now' }],
  ])('refuses an entry %s', (_sentence, bad) => {
    expect(judgeAllowances(rules, flaw, [bad])).toHaveLength(1);
  });
});

function ruleNamed(name: string): Rule {
  const rule = rules.find((candidate) => candidate.name === name);
  if (rule === undefined) throw new Error(`there is no rule ${name}`);
  return rule;
}
