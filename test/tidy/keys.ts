// Every label, annotation, taint and finalizer key is spelled once, in src/api/keys.ts: two spellings lose events.

import { inspect, isProduction, type Rule } from './rule.ts';
import type { SourceFile, SyntaxNode } from './source.ts';

const home = 'src/api/keys.ts';

// A DNS name, a slash, and neither the version of an API group behind it nor the rest of a URL before it.
const key = /(?<![\w./:@-])(?:[a-z0-9-]+\.)+(?:io|dev|sh|com)\/(?!v\d)[\w.-]*/;

export const keys: Rule = {
  name: 'keys',
  check: (files) =>
    inspect(files.filter(isElsewhere), ({ node }, file) => {
      const [found] = key.exec(textOf(node, file)) ?? [];
      return found === undefined ? null : `spells the key ${found}; import it from ${home}`;
    }),
  refuses: {
    'a key of ours': { 'src/fleet/a.ts': `const key = 'muster.dev/owned';` },
    'a key of Kubernetes': { 'src/fleet/a.ts': `const key = 'node.kubernetes.io/not-ready';` },
    'a key of a peer': { 'src/fleet/a.ts': `const key = 'karpenter.sh/disrupted';` },
    'a bare prefix': { 'src/fleet/a.ts': `key.startsWith('node-role.kubernetes.io/');` },
    'a key put together': { 'src/fleet/a.ts': 'const key = `muster.dev/${name}`;' },
    'a key inside a sentence': {
      'src/fleet/a.ts': `throw new Error('the annotation muster.dev/owned is bad');`,
    },
    'a key as a property': { 'src/fleet/a.ts': `const labels = { 'kubernetes.io/os': 'linux' };` },
    'a key as a type': { 'src/fleet/a.ts': `type Key = 'muster.dev/owned';` },
  },
  accepts: {
    'the one place': { 'src/api/keys.ts': `export const owned = 'muster.dev/owned';` },
    'a group and version': { 'src/api/a.ts': `const apiVersion = 'muster.dev/v1alpha1';` },
    'the path of a resource': { 'src/kube/a.ts': `const path = '/apis/muster.dev/v1alpha1';` },
    'a link': { 'src/api/a.ts': `const see = 'https://kubernetes.io/docs/concepts';` },
    'a media type': { 'src/kube/a.ts': `const type = 'application/merge-patch+json';` },
    'a key that is only spoken of': { 'src/fleet/a.ts': '// Reads muster.dev/owned.' },
    'a key in a test': { 'src/fleet/a.test.ts': `const key = 'muster.dev/owned';` },
  },
};

function isElsewhere(file: SourceFile): boolean {
  return isProduction(file) && file.path !== home;
}

function textOf(node: SyntaxNode, file: SourceFile): string {
  if (node.type === 'Literal' && typeof node['value'] === 'string') return node['value'];
  if (node.type === 'TemplateElement') return file.text.slice(node.start, node.end);
  return '';
}
