// Length, pattern and format of a string. The first of length and pattern that fails is the only one reported.

import { tooLong } from './field-error.ts';
import { addInvalid, addTypeInvalid, type Findings } from './findings.ts';
import { goQuote } from './go-text.ts';
import type { Place } from './place.ts';
import { compileRegExp } from './regular-expression.ts';
import type { SchemaNode } from './schema-node.ts';
import { stringFormat } from './string-formats.ts';
import { effectiveFormat } from './type-check.ts';

type StringCheck = (value: string, at: Place, findings: Findings) => void;

export function compileStringCheck(schema: SchemaNode): StringCheck {
  const checkLength = compileLengthCheck(schema);
  const checkPattern = compilePatternCheck(schema);
  const format = effectiveFormat(schema);
  const fits = stringFormat(format);
  return (value, at, findings) => {
    const count = findings.count;
    checkLength(value, at, findings);
    if (findings.count === count) checkPattern(value, at, findings);
    findings.matches += fits === null ? 1 : 2;
    if (fits !== null && !fits(value))
      addTypeInvalid(findings, { at, value, words: `must be of type ${format}: ${goQuote(value)}` });
  };
}

/** In characters, a surrogate pair being one. */
export function lengthOf(text: string): number {
  let length = text.length;
  for (let index = 0; index < text.length - 1; index += 1) {
    if (text.charCodeAt(index) >= 0xd800 && text.charCodeAt(index) < 0xdc00) length -= 1;
  }
  return length;
}

function compileLengthCheck({ minLength, maxLength }: SchemaNode): StringCheck {
  return (value, at, findings) => {
    if (maxLength !== null && value.length > maxLength && lengthOf(value) > maxLength) {
      findings.add(
        `${at.text} in body should be at most ${maxLength} chars long`,
        tooLong(at.path, maxLength),
      );
      return;
    }
    // A text has at least half as many characters as halves of them.
    if (minLength !== null && value.length < 2 * minLength && lengthOf(value) < minLength)
      addInvalid(findings, { at, value, words: `should be at least ${minLength} chars long` });
  };
}

function compilePatternCheck({ pattern }: SchemaNode): StringCheck {
  if (pattern === '') return () => undefined;
  const compiled = compileRegExp(pattern);
  return (value, at, findings) => {
    if (compiled.kind === 'error') {
      const words = `should match '${pattern}, but pattern is invalid: ${compiled.error}'`;
      addInvalid(findings, { at, value, words });
    } else if (!compiled.value.test(value)) {
      addInvalid(findings, { at, value, words: `should match '${pattern}'` });
    }
  };
}
