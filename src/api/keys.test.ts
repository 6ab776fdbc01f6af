import { describe, expect, it } from 'vitest';
import { labelKeyProblem } from '../objects/label-key.ts';
import * as keys from './keys.ts';

const { annotationKeys, labelKeys, leavingTaintKeys, systemTaintKeys } = keys;
const all: readonly string[] = [
  ...[annotationKeys, labelKeys, leavingTaintKeys, systemTaintKeys].flatMap((group) => Object.values(group)),
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

  it('of our own carry the group of our kinds as their prefix', () => {
    const prefix = `${keys.nodeLifecycleType.group}/`;
    expect(Object.values(annotationKeys).filter((key) => !key.startsWith(prefix))).toEqual([]);
  });
});
