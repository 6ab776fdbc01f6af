// Named sets of characters of Go's regular expressions, as members of a JavaScript character class. `others` are all
// characters that are not members, for a negation inside of a class.

type CharacterSet = { readonly members: string; readonly others: string };

const last = '\\u{10ffff}';

const digits = { members: '0-9', others: `\\x00-/:-${last}` };
const words = { members: '0-9A-Za-z_', others: `\\x00-/:-@\\[-\\^\`\\{-${last}` };
const spaces = { members: '\\t\\n\\f\\r ', others: `\\x00-\\x08\\x0b\\x0e-\\x1f!-${last}` };

/** `\d` and its like, by their letter. */
export const classEscapes: ReadonlyMap<string, CharacterSet> = new Map([
  ['d', digits],
  ['D', swapped(digits)],
  ['w', words],
  ['W', swapped(words)],
  ['s', spaces],
  ['S', swapped(spaces)],
]);

/** `[:alpha:]` and its like. */
export const namedClasses: ReadonlyMap<string, CharacterSet> = new Map([
  ['alnum', { members: '0-9A-Za-z', others: `\\x00-/:-@\\[-\`\\{-${last}` }],
  ['alpha', { members: 'A-Za-z', others: `\\x00-@\\[-\`\\{-${last}` }],
  ['ascii', { members: '\\x00-\\x7f', others: `\\x80-${last}` }],
  ['blank', { members: '\\t ', others: `\\x00-\\x08\\n-\\x1f!-${last}` }],
  ['cntrl', { members: '\\x00-\\x1f\\x7f', others: ` -~\\x80-${last}` }],
  ['digit', digits],
  ['graph', { members: '!-~', others: `\\x00- \\x7f-${last}` }],
  ['lower', { members: 'a-z', others: `\\x00-\`\\{-${last}` }],
  ['print', { members: ' -~', others: `\\x00-\\x1f\\x7f-${last}` }],
  ['punct', { members: '!-/:-@\\[-`\\{-~', others: `\\x00- 0-9A-Za-z\\x7f-${last}` }],
  ['space', { members: '\\t\\n\\v\\f\\r ', others: `\\x00-\\x08\\x0e-\\x1f!-${last}` }],
  ['upper', { members: 'A-Z', others: `\\x00-@\\[-${last}` }],
  ['word', words],
  ['xdigit', { members: '0-9A-Fa-f', others: `\\x00-/:-@G-\`g-${last}` }],
]);

/** `\pL`, `\p{Greek}`, `\P{^Lu}`: the text in JavaScript and how much of the rest it took. */
export function propertyEscape(
  letter: string,
  rest: string,
): { readonly text: string; readonly length: number } | null {
  if (letter !== 'p' && letter !== 'P') return null;
  const match = /^(?:\{(\^?)(\w+)\}|([A-Z]))/.exec(rest);
  if (match === null) throw new Error('invalid character class range: `\\' + letter + '`');
  const [whole, negation = '', long, short] = match;
  const name = long ?? short ?? '';
  const isNegated = (letter === 'P') !== (negation === '^');
  const property = name.length <= 2 ? name : `Script=${name}`;
  return { text: `\\${isNegated ? 'P' : 'p'}{${property}}`, length: whole.length };
}

function swapped({ members, others }: CharacterSet): CharacterSet {
  return { members: others, others: members };
}
