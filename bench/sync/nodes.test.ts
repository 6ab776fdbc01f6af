import { describe, expect, it } from 'vitest';
import { isRecord } from '../../src/objects/raw.ts';
import { compareResourceVersions } from '../../src/objects/resource-version.ts';
import { generateNode, listVersion } from './nodes.ts';

const fleet = Array.from({ length: 500 }, (_, index) => generateNode({ seed: 1, index }));
const sizes = fleet.map((node) => JSON.stringify(node).length);

describe('a generated fleet', () => {
  it('is the same for the same seed', () => {
    expect(fleet.map((_, index) => generateNode({ seed: 1, index }))).toEqual(fleet);
  });

  it('is another one for another seed', () => {
    expect(generateNode({ seed: 2, index: 0 })).not.toEqual(fleet[0]);
  });

  it('has nodes of 12.7 KB on average, none far from it', () => {
    const mean = sizes.reduce((sum, size) => sum + size, 0) / sizes.length;
    expect(mean).toBeGreaterThan(12_500);
    expect(mean).toBeLessThan(12_900);
    expect(Math.min(...sizes)).toBeGreaterThan(10_300);
    expect(Math.max(...sizes)).toBeLessThan(15_300);
  });

  it('carries what makes real nodes large: managed fields and images', () => {
    const [node] = fleet;
    const status = isRecord(node?.status) ? node.status : {};
    const shares = [Reflect.get(node?.metadata ?? {}, 'managedFields'), status['images']];
    for (const part of shares) expect(JSON.stringify(part).length).toBeGreaterThan(2_500);
  });

  it('gives every node its own name and UID', () => {
    expect(new Set(fleet.map(({ metadata }) => metadata?.name)).size).toBe(fleet.length);
    expect(new Set(fleet.map(({ metadata }) => metadata?.uid)).size).toBe(fleet.length);
  });

  it('was listed after its last node was written', () => {
    const last = fleet.at(-1)?.metadata?.resourceVersion ?? '';
    expect(compareResourceVersions(listVersion(fleet.length), last)).toBe('newer');
  });
});
