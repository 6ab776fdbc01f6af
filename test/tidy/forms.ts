// Forms of the language that the house does without: a name is exported under its own name, and types erase cleanly.

import { inspect, isTypeScript, type Rule } from './rule.ts';
import { child, type SyntaxNode, wordOf } from './source.ts';

export const forms: Rule = {
  name: 'forms',
  check: (files) => inspect(files.filter(isTypeScript), ({ node }) => complaintAbout(node)),
  refuses: {
    'a default export': { 'src/base/a.ts': 'export default 1;' },
    'a default export by another name': { 'src/base/a.ts': 'const a = 1;\nexport { a as default };' },
    'an enum': { 'test/a.ts': 'enum A { B }' },
    'a const enum': { 'test/a.ts': 'export const enum A { B }' },
    'a namespace': { 'scripts/a.ts': 'namespace A { export const b = 1; }' },
  },
  accepts: {
    'a named export': { 'src/base/a.ts': 'export const a = 1;' },
    'a default import of a package': { 'src/base/a.ts': `import pino from 'pino';` },
    words: { 'src/base/a.ts': `// export default enum namespace\nconst a = { enum: 'namespace A {}' };` },
  },
};

function complaintAbout(node: SyntaxNode): string | null {
  switch (node.type) {
    case 'ExportDefaultDeclaration':
      return 'has a default export; export it by name';
    case 'ExportSpecifier':
      return wordOf(child(node, 'exported')) === 'default' ? 'has a default export; export it by name' : null;
    case 'TSEnumDeclaration':
      return 'declares an enum; use a union of strings';
    case 'TSModuleDeclaration':
      return 'declares a namespace; use a file';
    default:
      return null;
  }
}
