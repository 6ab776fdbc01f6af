// Reads one line of a watch. Pure: a line becomes an event, or is garbled, and nothing is thrown.

import { isRecord, type RawObject, textOf } from '../objects/raw.ts';
import type { WatchEvent } from '../runtime/ports.ts';
import { failureOfWatchError } from './errors.ts';

/** On the bookmark that closes the initial events. */
const INITIAL_EVENTS_END = 'k8s.io/initial-events-end';
const GARBLED_CHARACTERS_MAX = 200;

export function parseWatchLine(line: string): WatchEvent {
  let event: unknown;
  try {
    event = JSON.parse(line);
  } catch {
    return garbled(line);
  }
  if (!isRecord(event) || !isRecord(event['object'])) return garbled(line);
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
      return garbled(line);
  }
}

export function garbled(text: string): WatchEvent {
  return { kind: 'garbled', text: text.slice(0, GARBLED_CHARACTERS_MAX) };
}
