import { describe, expect, it } from 'vitest';
import { leaseType } from '../objects/ref.ts';
import { isSameRecord, newLease, recordOf, withRecord } from './lease-record.ts';

const record = {
  holder: 'a',
  durationSeconds: 15,
  acquireTime: '2026-01-01T00:00:00.000000Z',
  renewTime: '2026-01-01T00:00:02.000000Z',
  transitions: 3,
};
const lease = { kind: 'Lease', metadata: { name: 'muster', labels: { team: 'x' } } };

describe('the record of a Lease', () => {
  it('is read back as it was written', () => {
    expect(recordOf(withRecord(lease, record))).toEqual(record);
  });

  it('is empty when the Lease says nothing', () => {
    expect(recordOf({})).toEqual({
      holder: '',
      durationSeconds: 0,
      acquireTime: '',
      renewTime: '',
      transitions: 0,
    });
  });

  it.each([
    ['15', 0],
    [1.5, 0],
    [-1, 0],
    [0, 0],
    [null, 0],
    [1, 1],
  ])('counts %j as %d', (written, read) => {
    const spec = { leaseDurationSeconds: written, leaseTransitions: written };
    expect(recordOf({ spec })).toMatchObject({ durationSeconds: read, transitions: read });
  });

  it('is written beside whatever else the object carries', () => {
    const written = withRecord({ ...lease, spec: { preferredHolder: 'b', holderIdentity: 'b' } }, record);
    expect(written).toEqual({
      ...lease,
      spec: {
        preferredHolder: 'b',
        holderIdentity: 'a',
        leaseDurationSeconds: 15,
        acquireTime: record.acquireTime,
        renewTime: record.renewTime,
        leaseTransitions: 3,
      },
    });
  });

  it('without a holder is written without the field', () => {
    const written = withRecord({ ...lease, spec: { holderIdentity: 'b' } }, { ...record, holder: '' });
    expect(Object.keys(written.spec ?? {})).not.toContain('holderIdentity');
  });

  it.each([
    ['holder', { holder: 'b' }],
    ['duration', { durationSeconds: 16 }],
    ['time of acquiring', { acquireTime: 'later' }],
    ['time of renewal', { renewTime: 'later' }],
    ['count of transitions', { transitions: 4 }],
  ])('is another with another %s', (_what, change) => {
    expect(isSameRecord(record, { ...record })).toBe(true);
    expect(isSameRecord(record, { ...record, ...change })).toBe(false);
  });
});

describe('a new Lease', () => {
  it('is named and has no record yet', () => {
    expect(newLease({ type: leaseType, namespace: 'muster-system', name: 'muster' })).toEqual({
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { namespace: 'muster-system', name: 'muster' },
    });
  });
});
