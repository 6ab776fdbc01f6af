import { describe, expect, it } from 'vitest';
import { parseProcessFigures } from './process-figures.ts';

describe('the figures of a process', () => {
  it('are read past a name with spaces and parentheses in it', () => {
    const stat = '7 (a (b) c) S 1 7 7 0 -1 4194560 100 0 0 0 250 50 0 0 20 0 11 0';
    const status = 'Name:\ta\nVmHWM:\t  2048 kB\nVmRSS:\t  1024 kB\n';
    expect(parseProcessFigures(stat, status)).toEqual({
      cpuMs: 3_000,
      rssBytes: 1024 * 1024,
      rssPeakBytes: 2 * 1024 * 1024,
    });
  });
});
