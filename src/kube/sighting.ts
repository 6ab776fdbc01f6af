// One look at an object, before it is worth a projection.

import { type RawObject, viewOf } from '../objects/raw.ts';
import { keyOf } from '../objects/ref.ts';
import type { Incarnation } from './tombstones.ts';

/** Where an object is filed, which incarnation of it was seen, and in which state. */
export type Sighting = Incarnation & { readonly key: string };

export function sightingOf(raw: RawObject): Sighting {
  const view = viewOf(raw);
  return { key: keyOf(view), uid: view.uid, resourceVersion: view.resourceVersion };
}
