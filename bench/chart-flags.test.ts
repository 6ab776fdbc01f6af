import { describe, expect, it } from 'vitest';
import { chartEnvironment, chartFlags, chartMemoryMiB, flagsIn } from './chart-flags.ts';

describe('the flags of the chart', () => {
  it('are those of its deployment, with the heap of its values', () => {
    const template = '  - name: NODE_OPTIONS\n    value: --a=2 --b={{ .Values.heapMiB }}\n  ports: []';
    expect(flagsIn(template, 80)).toEqual(['--a=2', '--b=80']);
  });

  it('bound the young and the old generation', () => {
    expect(chartFlags()).toEqual([
      expect.stringMatching(/^--max-semi-space-size=\d+$/),
      expect.stringMatching(/^--max-old-space-size=\d+$/),
    ]);
  });

  it('leave room for what is not heap', () => {
    const [, heapMiB] = /old-space-size=(\d+)/.exec(chartFlags().join(' ')) ?? [];
    expect(chartMemoryMiB() - Number(heapMiB)).toBeGreaterThanOrEqual(80);
  });

  it('can be those of a larger heap, with as much beside it', () => {
    const [, heapMiB] = /old-space-size=(\d+)/.exec(chartFlags().join(' ')) ?? [];
    const larger = Number(heapMiB) + 100;
    expect(chartFlags(larger)).toContain(`--max-old-space-size=${larger}`);
    expect(chartMemoryMiB(larger)).toBe(chartMemoryMiB() + 100);
  });

  it('come with one arena for all threads', () => {
    expect(chartEnvironment()).toEqual({ NODE_OPTIONS: chartFlags().join(' '), MALLOC_ARENA_MAX: '1' });
  });

  it('are missed when the chart no longer sets them', () => {
    expect(() => flagsIn('env: []', 80)).toThrow('no longer sets NODE_OPTIONS');
  });
});
