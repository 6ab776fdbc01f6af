// The house rules, in the order in which they are reported. To add one: a file beside this one and a line here.

import { ambientWorld } from './ambient-world.ts';
import { ceilings } from './ceilings.ts';
import { forms } from './forms.ts';
import { header } from './header.ts';
import { importDirection } from './import-direction.ts';
import { keys } from './keys.ts';
import { moduleState } from './module-state.ts';
import { names } from './names.ts';
import { ownWords } from './own-words.ts';
import { reachable } from './reachable.ts';
import type { Rule } from './rule.ts';
import { schemaImports } from './schema-imports.ts';
import { synchronous } from './synchronous.ts';
import { unfinished } from './unfinished.ts';

export const rules: readonly Rule[] = [
  importDirection,
  schemaImports,
  reachable,
  ceilings,
  names,
  keys,
  ambientWorld,
  synchronous,
  moduleState,
  forms,
  unfinished,
  header,
  ownWords,
];
