import { describe, expect, it } from 'vitest';
import { isReservedKey, labelKeyProblem } from '../objects/label-key.ts';
import * as keys from './keys.ts';

const { annotationKeys, labelKeys, leavingTaintKeys, systemTaintKeys, verificationKeys } = keys;
const all: readonly string[] = [
  ...[annotationKeys, labelKeys, leavingTaintKeys, systemTaintKeys, verificationKeys].flatMap((group) =>
    Object.values(group),
  ),
  ...keys.defaultPoolLabels,
  keys.controlPlaneRole,
  keys.deletionCandidateTaintKey,
];

describe('keys', () => {
  it('are spelled once each', () => {
    expect(all.filter((key, index) => all.indexOf(key) !== index)).toEqual([]);
  });

  it.each(all)('%s is one that the API server accepts', (key) => {
    expect(labelKeyProblem(key)).toBeNull();
  });

  it('that a kubelet has to set on itself are not under a prefix that the API server keeps from it', () => {
    expect(isReservedKey(verificationKeys.bornUnverified)).toBe(false);
  });

  it('of our own carry the group of our kinds as their prefix', () => {
    const prefix = `${keys.nodeLifecycleType.group}/`;
    expect(Object.values(annotationKeys).filter((key) => !key.startsWith(prefix))).toEqual([]);
  });
});
