// Bounded tables of shared values: thousands of nodes repeat the same label values, reasons, messages and taints.
// Belongs to an instance and never grows beyond its bounds, whatever a cluster invents.

import { createGenerations } from '../base/generations.ts';
import type { Intern } from '../base/intern.ts';

export type InternTable = Intern & {
  /** How many strings the tables hold. */
  readonly size: number;
};

/** Strings up to this length JSON.parse mostly shares by itself. */
const lengthSharedAnyway = 8;
/** Longer strings are rarely repeated, and cost much where they are not: there is room for few of them. */
const lengthUsual = 256;
const lengthMax = 8_192;
const longMax = 512;
const parsedMax = 1_024;

export function createIntern(entriesMax = 16_384): InternTable {
  const texts = createGenerations<string>(entriesMax);
  const longTexts = createGenerations<string>(longMax);
  const values = createGenerations<object>(parsedMax);
  return {
    get size() {
      return texts.size + longTexts.size;
    },
    text(value) {
      if (value.length <= lengthSharedAnyway || value.length > lengthMax) return value;
      return (value.length > lengthUsual ? longTexts : texts).recall(value, () => value);
    },
    parsed<V extends object>(source: string, parse: () => V): V {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- whoever parses one text twice parses it in one way
      return source.length > lengthMax ? parse() : (values.recall(source, parse) as V);
    },
  };
}
