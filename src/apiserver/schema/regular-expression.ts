// Regular expressions in the dialect of Go (RE2), run by JavaScript's engine. What the dialects spell differently is
// translated, what Go does not have (look-around, back references) is refused, as is what cannot be translated.
// Limit: this engine backtracks, so a pattern with nested repetitions can take long where Go's cannot.

import { err, ok, type Result } from '../../base/result.ts';
import { classEscapes, namedClasses, propertyEscape } from './regular-expression-classes.ts';

export function compileRegExp(pattern: string): Result<RegExp, string> {
  try {
    return ok(new RegExp(new Translation(pattern).all(), 'u'));
  } catch (error) {
    return err(`error parsing regexp: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** All matches, as Go finds them: an empty match right after another match does not count. */
export function findAllMatches(expression: RegExp, text: string, countMax = Infinity): readonly string[] {
  const found: string[] = [];
  let end = -1;
  for (const match of text.matchAll(new RegExp(expression.source, `${expression.flags}g`))) {
    if (found.length >= countMax) break;
    if (match[0] !== '' || match.index !== end) found.push(match[0]);
    end = match.index + match[0].length;
  }
  return found;
}

type Flags = { readonly dotAll: boolean; readonly multiline: boolean };

const repetition = /^\{(\d+)(,(\d*))?\}/;
const repetitionMax = 1000;

class Translation {
  readonly #source: string;
  #at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  all(): string {
    const text = this.#sequence({ dotAll: false, multiline: false });
    if (this.#at < this.#source.length) throw new Error('unexpected ): `' + this.#source + '`');
    return text;
  }

  /** Up to the end of the group that it stands in. */
  #sequence(given: Flags): string {
    let flags = given;
    let text = '';
    let open = 0;
    while (this.#at < this.#source.length && this.#source[this.#at] !== ')') {
      const setting = /^\(\?([imsU]*)(?:-([imsU]+))?\)/.exec(this.#rest());
      if (setting === null) {
        text += this.#atom(flags);
        continue;
      }
      this.#at += setting[0].length;
      const { prefix, next } = applyFlags(setting, flags);
      flags = next;
      // Flags hold to the end of the group. An alternative that begins later must stay inside of it.
      text += prefix;
      open += 1;
    }
    return text + ')'.repeat(open);
  }

  #atom(flags: Flags): string {
    const character = this.#take();
    switch (character) {
      case '(':
        return this.#group(flags);
      case '[':
        return this.#characterClass();
      case '\\':
        return this.#escape('outside');
      case '.':
        return flags.dotAll ? '[\\s\\S]' : '[^\\n]';
      case '^':
        return flags.multiline ? '(?:^|(?<=\\n))' : '^';
      case '$':
        return flags.multiline ? '(?=\\n|$)' : '$';
      case '{':
        return this.#repetition();
      case '}':
      case ']':
        return `\\${character}`;
      default:
        return character;
    }
  }

  #repetition(): string {
    const match = repetition.exec(`{${this.#rest()}`);
    if (match === null) return '\\{';
    if (Math.max(Number(match[1]), Number(match[3] ?? 0)) > repetitionMax)
      throw new Error('invalid repeat count: `' + match[0] + '`');
    this.#at += match[0].length - 1;
    return match[0];
  }

  #group(flags: Flags): string {
    const named = /^\?P?<([A-Za-z_]\w*)>/.exec(this.#rest());
    const flagged = /^\?([imsU]*)(?:-([imsU]+))?:/.exec(this.#rest());
    const opening = named ?? flagged;
    if (opening === null && this.#source[this.#at] === '?')
      throw new Error('invalid or unsupported Perl syntax: `(' + this.#rest().slice(0, 2) + '`');
    this.#at += opening?.[0].length ?? 0;
    const { prefix, next } = flagged === null ? { prefix: '', next: flags } : applyFlags(flagged, flags);
    const inner = this.#sequence(next);
    if (this.#take() !== ')') throw new Error('missing closing ): `' + this.#source + '`');
    if (named !== null) return `(?<${named[1]}>${inner})`;
    return flagged === null ? `(${inner})` : `${prefix}${inner})`;
  }

  #characterClass(): string {
    let text = '[';
    if (this.#source[this.#at] === '^') text += this.#take();
    for (let isFirst = true; isFirst || this.#source[this.#at] !== ']'; isFirst = false) {
      if (this.#at >= this.#source.length) throw new Error('missing closing ]: `' + this.#source + '`');
      text += this.#classMember();
    }
    this.#at += 1;
    return `${text}]`;
  }

  #classMember(): string {
    const named = /^\[:(\^?)(\w+):\]/.exec(this.#rest());
    if (named !== null) {
      const [whole, negation, name = ''] = named;
      const members = negation === '' ? namedClasses.get(name)?.members : namedClasses.get(name)?.others;
      if (members === undefined) throw new Error('invalid character class range: `' + whole + '`');
      this.#at += whole.length;
      return members;
    }
    const character = this.#take();
    if (character === '\\') return this.#escape('inside');
    return '[]^'.includes(character) ? `\\${character}` : character;
  }

  #escape(where: 'inside' | 'outside'): string {
    const character = this.#take();
    const shared = classEscapes.get(character);
    if (shared !== undefined) return where === 'inside' ? shared.members : `[${shared.members}]`;
    const property = propertyEscape(character, this.#rest());
    if (property !== null) {
      this.#at += property.length;
      return property.text;
    }
    if (where === 'outside' && 'AzbB'.includes(character))
      return { A: '(?<![\\s\\S])', z: '(?![\\s\\S])' }[character] ?? `\\${character}`;
    if (where === 'outside' && character === 'Q') return this.#quoted();
    return this.#literalEscape(character);
  }

  #quoted(): string {
    const end = this.#source.indexOf('\\E', this.#at);
    const text = this.#source.slice(this.#at, end < 0 ? undefined : end);
    this.#at = end < 0 ? this.#source.length : end + 2;
    return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  }

  #literalEscape(character: string): string {
    const code = /^(?:x\{([0-9A-Fa-f]+)\}|x([0-9A-Fa-f]{2})|([0-7]{3}|0))/.exec(character + this.#rest());
    if (code !== null) {
      this.#at += code[0].length - 1;
      const [, braced, plain, octal] = code;
      return `\\u{${(octal === undefined ? Number.parseInt(braced ?? plain ?? '', 16) : Number.parseInt(octal, 8)).toString(16)}}`;
    }
    if (character === 'a') return '\\x07';
    if ('fnrtv'.includes(character)) return `\\${character}`;
    if (character === '' || /[A-Za-z0-9\u0080-\u{10ffff}]/u.test(character))
      throw new Error('invalid escape sequence: `\\' + character + '`');
    return /[\\^$.*+?()[\]{}|/-]/.test(character)
      ? `\\u{${character.charCodeAt(0).toString(16)}}`
      : character;
  }

  #take(): string {
    const code = this.#source.codePointAt(this.#at);
    if (code === undefined) return '';
    const character = String.fromCodePoint(code);
    this.#at += character.length;
    return character;
  }

  #rest(): string {
    return this.#source.slice(this.#at);
  }
}

function applyFlags([, on = '', off = '']: readonly (string | undefined)[], flags: Flags) {
  if (`${on}${off}`.includes('U'))
    throw new Error('the flag U, which makes repetitions reluctant, is not supported here');
  const next = {
    dotAll: (flags.dotAll || on.includes('s')) && !off.includes('s'),
    multiline: (flags.multiline || on.includes('m')) && !off.includes('m'),
  };
  const caseFlag = `${on.includes('i') ? 'i' : ''}${off.includes('i') ? '-i' : ''}`;
  return { prefix: `(?${caseFlag}:`, next };
}
