// The status of a record as it is held. Nodes that are gated together differ in little but times, ids and versions: these are
// taken out, and what is left is one text for all of them.

export type PackedStatus = {
  /** JSON with a mark for each value that was taken out. */
  readonly pattern: string;
  /** What was taken out, each once. */
  readonly own: string;
};

const TIME = String.raw`\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z`;
const UID = String.raw`[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}`;
const VERSION = String.raw`\d+`;
const OWN = new RegExp(`"(?:${TIME}|${UID}|${VERSION})"`, 'g');
/** JSON has this character nowhere: inside of strings it is escaped. */
const MARK = '\u0001';
const MARKED = new RegExp(`${MARK}(\\d+)`, 'g');

export function packStatus(status: object, share: (text: string) => string): PackedStatus {
  const places = new Map<string, number>();
  const pattern = JSON.stringify(status).replace(OWN, (value) => {
    const place = places.get(value) ?? places.size;
    places.set(value, place);
    return `${MARK}${place}`;
  });
  return { pattern: share(pattern), own: [...places.keys()].join(' ') };
}

export function unpackStatus({ pattern, own }: PackedStatus): unknown {
  const values = own.split(' ');
  return JSON.parse(pattern.replace(MARKED, (_, place: string) => values[Number(place)] ?? 'null'));
}
