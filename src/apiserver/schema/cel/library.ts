// All functions, methods and operators that a rule can use, in one table.

import { conversions } from './conversions.ts';
import { kubernetes } from './kubernetes.ts';
import { lists } from './lists.ts';
import { operators } from './operators.ts';
import { optionals } from './optionals.ts';
import { type Overloads, tableOf } from './overload.ts';
import { strings } from './strings.ts';
import { times } from './times.ts';

export const library: Overloads = tableOf([
  ...operators,
  ...conversions,
  ...strings,
  ...lists,
  ...times,
  ...optionals,
  ...kubernetes,
]);
