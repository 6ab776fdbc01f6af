import { describe, expect, it } from 'vitest';
import { workingSet } from './container.ts';

const unified = { idle: 'inactive_file', active: 'active_file', anonymous: 'anon' };

describe('the working set of a control group', () => {
  it('is what is in use without the pages of files that nobody has used lately', () => {
    const stat =
      'cache 300\nrss 1\ntotal_rss 600\ninactive_file 1\ntotal_inactive_file 200\ntotal_active_file 100\n';
    const words = { idle: 'total_inactive_file', active: 'total_active_file', anonymous: 'total_rss' };
    expect(workingSet('1000\n', stat, words)).toEqual({ bytes: 800, anonymousBytes: 600, fileBytes: 100 });
    expect(workingSet('1000\n', 'anon 700\ninactive_file 50\n', unified)).toEqual({
      bytes: 950,
      anonymousBytes: 700,
      fileBytes: 0,
    });
  });

  it('is nothing where the group is gone', () =>
    expect(workingSet('', '', unified)).toMatchObject({ bytes: 0 }));
});
