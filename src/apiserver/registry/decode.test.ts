import { describe, expect, it } from 'vitest';
import { recordsIn } from '../../objects/raw.ts';
import { decodeStruct, WrongValue } from './decode.ts';
import { nodeFields } from './shapes/node.ts';

const conditions = [
  { type: 'Ready', status: 'True', lastHeartbeatTime: '2026-01-01T00:00:00Z' },
  { type: 'DiskPressure', status: 'False' },
];
const { value: old } = decodeStruct(nodeFields, {
  metadata: { name: 'n', labels: { a: 'b' } },
  spec: { providerID: 'p' },
  status: { conditions, capacity: { cpu: 1 } },
}) as { readonly value: Readonly<Record<string, Readonly<Record<string, unknown>>>> };

describe('reading an object that changes another', () => {
  it('takes the parts that are as they were without reading them again', () => {
    const { value } = decodeStruct(nodeFields, { ...old, spec: { providerID: 'q' } }, old);
    expect(value).toEqual({ ...old, spec: { providerID: 'q' } });
    expect(value['status']).toBe(old['status']);
    expect(value['metadata']).toBe(old['metadata']);
  });

  it('reads the item of a list that changed and no other', () => {
    const [ready, disk] = recordsIn(old['status']?.['conditions']);
    const status = { ...old['status'], conditions: [{ ...ready, reason: 'R' }, disk] };
    const { value } = decodeStruct(nodeFields, { ...old, status }, old);
    const read = (value['status'] as { conditions: readonly object[] }).conditions;
    expect(read[0]).toMatchObject({ type: 'Ready', reason: 'R' });
    expect(read[1]).toBe(disk);
  });

  it('gives what it would give without the other object', () => {
    const changed = { ...old, spec: { unknown: 1, taints: [{ key: 'k', effect: 'NoSchedule', value: '' }] } };
    expect(decodeStruct(nodeFields, changed, old)).toEqual(decodeStruct(nodeFields, changed));
  });

  it('refuses a wrong value wherever it is new', () => {
    const wrong = { ...old, status: { ...old['status'], capacity: { cpu: 'much' } } };
    expect(() => decodeStruct(nodeFields, wrong, old)).toThrow(WrongValue);
  });
});
