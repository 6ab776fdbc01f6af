// Reads one line of a watch. Pure: a line becomes an event, or is garbled, and nothing is thrown.

import { isRecord, type RawObject, textOf } from '../objects/raw.ts';
import type { WatchEvent } from '../runtime/ports.ts';
import { failureOfWatchError } from './errors.ts';
import type { JsonReader } from './unread-lists.ts';

/** On the bookmark that closes the initial events. */
const INITIAL_EVENTS_END = 'k8s.io/initial-events-end';
const GARBLED_CHARACTERS_MAX = 200;

export function parseWatchLine(line: Buffer, read: JsonReader): WatchEvent {
  let event: unknown;
  try {
    event = read(line);
  } catch {
    return garbled(startOf(line));
  }
  if (!isRecord(event) || !isRecord(event['object'])) return garbled(startOf(line));
  const object: RawObject = event['object'];
  switch (event['type']) {
    case 'ADDED':
    case 'MODIFIED':
    case 'DELETED':
      return { kind: 'object', change: event['type'], object };
    case 'BOOKMARK':
      return {
        kind: 'bookmark',
        resourceVersion: textOf(object.metadata?.resourceVersion),
        endsInitialEvents: object.metadata?.annotations?.[INITIAL_EVENTS_END] === 'true',
      };
    case 'ERROR':
      return { kind: 'error', failure: failureOfWatchError(object) };
    default:
      return garbled(startOf(line));
  }
}

function startOf(line: Buffer): string {
  return line.toString('utf8', 0, GARBLED_CHARACTERS_MAX);
}

export function garbled(text: string): WatchEvent {
  return { kind: 'garbled', text: text.slice(0, GARBLED_CHARACTERS_MAX) };
}
