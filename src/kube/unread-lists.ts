// Leaves lists of objects that nobody reads out of a JSON text before it is decoded and parsed: managedFields and images are two
// thirds of a Node. Safe because it is checked: a cut in the wrong place leaves brackets or quotes without their partner, the
// parser refuses it, and the whole text is parsed instead.

/** Throws what JSON.parse throws for the whole text. */
export function parseWithoutLists(bytes: Buffer, names: readonly string[]): unknown {
  const spans = names.flatMap((name) => listOf(bytes, name) ?? []);
  if (spans.length === 0) return JSON.parse(bytes.toString('utf8'));
  try {
    return JSON.parse(textWithout(bytes, spans));
  } catch {
    return JSON.parse(bytes.toString('utf8'));
  }
}

type Span = { readonly from: number; readonly to: number };

/**
 * The inside of the first list under this key. In JSON the quotes inside a string are escaped, so what is found is a key and
 * a list of objects, and the first `}]` after it is where such a list ends if its objects hold no lists of objects.
 */
function listOf(bytes: Buffer, name: string): Span | null {
  const key = `"${name}":[{`;
  const at = bytes.indexOf(key, 0, 'latin1');
  const end = at < 0 ? -1 : bytes.indexOf('}]', at, 'latin1');
  return end < 0 ? null : { from: at + key.length - 1, to: end + 1 };
}

function textWithout(bytes: Buffer, spans: readonly Span[]): string {
  let text = '';
  let kept = 0;
  for (const { from, to } of spans.toSorted((a, b) => a.from - b.from)) {
    text += bytes.toString('utf8', kept, from);
    kept = to;
  }
  return text + bytes.toString('utf8', kept);
}
