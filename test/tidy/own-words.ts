// The project speaks of itself alone: no text names a folder of the machine on which it was written.

import { type Rule, violation } from './rule.ts';

const foreign = /\.\.\/shared\b|(?<![\w.$}-])\/(?:work|root)\//g;

// In pieces, so that this file passes its own check.
const path = (...parts: readonly string[]) => parts.join('/');

export const ownWords: Rule = {
  name: 'own-words',
  check: (files) =>
    files.flatMap((file) =>
      [...file.text.matchAll(foreign)].map(({ 0: name, index }) =>
        violation(file, index, `names ${name}; say it so that it is true on any machine`),
      ),
    ),
  refuses: {
    'a folder beside the repository': { 'docs/a.md': `See ${path('..', 'shared', 'DESIGN.md')}.` },
    'a folder of this machine': { '.ci/run': `cd ${path('', 'work', 'main')}` },
    'the home of a user': { 'src/base/a.ts': `const home = '${path('', 'root', '.kube')}';` },
  },
  accepts: {
    'paths inside the repository': { 'docs/a.md': 'See src/root/a.ts and docs/work/b.md.' },
    'plain words': { 'docs/a.md': 'A shared root does the work.' },
  },
};
