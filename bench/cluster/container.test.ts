import { describe, expect, it } from 'vitest';
import { workingSet } from './container.ts';

describe('the working set of a control group', () => {
  it('is what is in use without the pages of files that nobody has used lately', () => {
    const stat = 'cache 300\nrss 700\ninactive_file 1\ntotal_inactive_file 200\ntotal_active_file 100\n';
    expect(workingSet('1000\n', stat, 'total_inactive_file')).toBe(800);
    expect(workingSet('1000\n', 'anon 700\ninactive_file 50\n', 'inactive_file')).toBe(950);
  });

  it('is nothing where the group is gone', () => expect(workingSet('', '', 'inactive_file')).toBe(0));
});
