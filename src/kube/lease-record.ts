// What a Lease says about who leads. The times in it are for people: they are written and never compared, because they
// come from another machine's clock.

import { fieldsOf, type RawObject, textOf } from '../objects/raw.ts';
import { apiVersionOf, type ObjectRef } from '../objects/ref.ts';

export type LeaseRecord = {
  /** Empty when the last holder gave it back. */
  readonly holder: string;
  readonly durationSeconds: number;
  readonly acquireTime: string;
  readonly renewTime: string;
  /** Grows by one with each new holder: the epoch. */
  readonly transitions: number;
};

export function recordOf(lease: RawObject): LeaseRecord {
  const spec = fieldsOf(lease.spec);
  return {
    holder: textOf(spec['holderIdentity']),
    durationSeconds: countOf(spec['leaseDurationSeconds']),
    acquireTime: textOf(spec['acquireTime']),
    renewTime: textOf(spec['renewTime']),
    transitions: countOf(spec['leaseTransitions']),
  };
}

/** Whatever else the object carries stays: labels, annotations, fields of a newer API. */
export function withRecord(lease: RawObject, record: LeaseRecord): RawObject {
  const { holderIdentity: _previous, ...kept } = fieldsOf(lease.spec);
  return {
    ...lease,
    spec: {
      ...kept,
      // No holder is no field: an empty name is not for every API server a valid one.
      ...(record.holder === '' ? {} : { holderIdentity: record.holder }),
      leaseDurationSeconds: record.durationSeconds,
      acquireTime: record.acquireTime,
      renewTime: record.renewTime,
      leaseTransitions: record.transitions,
    },
  };
}

export function newLease({ type, namespace, name }: ObjectRef): RawObject {
  return { apiVersion: apiVersionOf(type), kind: type.kind, metadata: { namespace, name } };
}

export function isSameRecord(a: LeaseRecord, b: LeaseRecord): boolean {
  return (
    a.holder === b.holder &&
    a.durationSeconds === b.durationSeconds &&
    a.acquireTime === b.acquireTime &&
    a.renewTime === b.renewTime &&
    a.transitions === b.transitions
  );
}

function countOf(value: unknown): number {
  return Number.isInteger(value) ? Math.max(0, Number(value)) : 0;
}
