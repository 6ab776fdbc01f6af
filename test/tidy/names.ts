// Names that say nothing are refused, for files, folders and types. Kubernetes' own nouns stay as they are.

import { inspect, isTypeScript, type Rule, type Violation, violation } from './rule.ts';
import { child, type SourceFile, type Visit, wordOf } from './source.ts';

const empty = /^(?:utils?|helpers?|misc|managers?|impls?)$/;
// These may qualify another noun (`data-dir`) but are none themselves.
const emptyLast = /^(?:common|data|infos?)$/;
const emptyAlone = /^(?:types|constants)$/;
const kubernetesNouns = /\b(?:field|controller)-manager\b/g;
const kebabCase = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const typeForms = /^(?:TSTypeAliasDeclaration|TSInterfaceDeclaration|ClassDeclaration)$/;

export const names: Rule = {
  name: 'names',
  check(files) {
    const ours = files.filter(isTypeScript);
    return [...ours.flatMap(checkPath), ...inspect(ours, complaintAboutType)];
  },
  refuses: {
    'a file of utilities': { 'src/base/utils.ts': '' },
    'a helper beside its test': { 'src/base/node-helper.test.ts': '' },
    'a folder of common things': { 'src/kube/common/retry.ts': '' },
    'a file that is only types': { 'src/kube/types.ts': '' },
    'a file that is only constants': { 'src/kube/constants.ts': '' },
    'a file in camel case': { 'src/kube/nodeWriter.ts': '' },
    'a manager': { 'src/kube/a.ts': 'export class PodManager {}' },
    'an implementation': { 'src/kube/a.ts': 'class ImplOfCache {}' },
    'a type that ends in info': { 'src/kube/a.ts': 'type NodeInfo = string;' },
    'an interface called data': { 'src/kube/a.ts': 'interface Data {}' },
  },
  accepts: {
    'a word that only contains a banned one': { 'src/kube/database.ts': 'type Information = string;' },
    'a noun of Kubernetes': { 'test/controller-manager.ts': 'type FieldManager = string;' },
    'a qualified noun': { 'test/data-dir.ts': 'type CommonName = string; type DataDir = string;' },
    'the kinds of tests': { 'test/a.e2e.ts': '', 'test/a.browser.ts': '', 'src/base/b-c.test.ts': '' },
  },
};

function checkPath(file: SourceFile): readonly Violation[] {
  const segments = file.path
    .replace(/\.(?:test|e2e|browser)(?=\.tsx?$)/, '')
    .replace(/(?:\.d)?\.tsx?$/, '')
    .split('/');
  return segments.flatMap((segment) => {
    if (!kebabCase.test(segment)) {
      return [violation(file, 0, `is not in kebab-case: write ${wordsOf(segment).join('-')}`)];
    }
    if (!saysNothing(segment)) return [];
    return [violation(file, 0, `the name ${segment} says nothing; name it for the one thing inside`)];
  });
}

function complaintAboutType({ node }: Visit): string | null {
  const name = typeForms.test(node.type) ? wordOf(child(node, 'id')) : null;
  if (name === null || !saysNothing(wordsOf(name).join('-'))) return null;
  return `the type name ${name} says nothing; name it for what it is`;
}

function saysNothing(name: string): boolean {
  const words = name.replace(kubernetesNouns, 'manifest').split('-');
  return (
    words.some((word) => empty.test(word)) || emptyLast.test(words.at(-1) ?? '') || emptyAlone.test(name)
  );
}

function wordsOf(name: string): readonly string[] {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);
}
