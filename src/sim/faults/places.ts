// Where faults can strike: the writes, events and watched kinds of a run without faults.

import type { CallRecord, EventRecord } from './records.ts';
import type { FaultMatch } from './rule.ts';
import { isWriteVerb } from './rule-book.ts';

/** What a run without faults did, as far as faults can strike there. */
export type Learned = {
  readonly calls: readonly (Pick<CallRecord, 'verb' | 'resource'> & {
    readonly ref: Pick<CallRecord['ref'], 'name'>;
  })[];
  readonly heard: readonly Pick<EventRecord, 'resource' | 'name'>[];
};

/** One write or event of the learning run, said so that it is found again when others come before it. */
export type Spot = Pick<FaultMatch, 'verb' | 'resource' | 'name' | 'nth'>;

export type Places = {
  readonly writes: readonly Spot[];
  readonly events: readonly Spot[];
  readonly watched: readonly string[];
};

export function placesOf({ calls, heard }: Learned): Places {
  const counted = new Map<string, number>();
  const spotOf = (verb: FaultMatch['verb'], resource: string, name: string): Spot => {
    const key = `${verb} ${resource} ${name}`;
    const nth = (counted.get(key) ?? 0) + 1;
    counted.set(key, nth);
    return { verb, resource, name, nth };
  };
  const writes = calls
    .filter(({ verb }) => isWriteVerb(verb))
    .map(({ verb, resource, ref }) => spotOf(verb, resource, ref.name));
  const events = heard.map(({ resource, name }) => spotOf('event', resource, name));
  return {
    writes: writes.filter(isTelling),
    events,
    watched: [...new Set(heard.map(({ resource }) => resource))],
  };
}

/** A Lease is renewed every two seconds: the first renewals stand for the others. */
const RENEWALS_MAX = 4;

function isTelling(spot: Spot): boolean {
  return !isOfLease(spot) || (spot.nth ?? 1) <= RENEWALS_MAX;
}

export function isOfLease({ resource = '' }: Pick<Spot, 'resource'>): boolean {
  return resource.startsWith('leases.');
}
