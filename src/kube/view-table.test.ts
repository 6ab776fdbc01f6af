import { describe, expect, it } from 'vitest';
import type { ObjectView } from '../objects/raw.ts';
import { ViewTable } from './view-table.ts';

type Tagged = ObjectView & { readonly tags: readonly string[] };

const view = (name: string, tags: readonly string[], uid = name): Tagged => ({
  namespace: '',
  name,
  uid,
  resourceVersion: '1',
  tags,
});

function setUp() {
  const table = new ViewTable<Tagged>({ tag: ({ tags }) => tags, name: ({ name }) => [name] });
  const tagged = (tag: string) => table.byIndex('tag', tag).map(({ name }) => name);
  return { table, tagged };
}

describe('a table of views', () => {
  it('answers each change with what it changed', () => {
    const { table } = setUp();
    const [first, second, other] = [view('a', ['x']), view('a', ['y']), view('a', ['z'], 'another')];
    expect(table.put('a', first)).toEqual([{ kind: 'added', now: first }]);
    expect(table.put('a', second)).toEqual([{ kind: 'updated', before: first, now: second }]);
    expect(table.put('a', other)).toEqual([
      { kind: 'deleted', before: second },
      { kind: 'added', now: other },
    ]);
    expect(table.remove('a')).toEqual([{ kind: 'deleted', before: other }]);
    expect(table.remove('a')).toEqual([]);
    expect(table.views.size).toBe(0);
  });

  it('finds a view under each of its values, in the order in which they came', () => {
    const { table, tagged } = setUp();
    table.put('b', view('b', ['x', 'y']));
    table.put('a', view('a', ['x']));
    expect([tagged('x'), tagged('y'), tagged('z')]).toEqual([['b', 'a'], ['b'], []]);
    expect(table.byIndex('name', 'a')).toEqual([view('a', ['x'])]);
  });

  it('finds a view no more under what it has lost', () => {
    const { table, tagged } = setUp();
    table.put('a', view('a', ['x', 'y']));
    table.put('b', view('b', ['x']));
    table.put('a', view('a', ['y', 'z']));
    expect([tagged('x'), tagged('y'), tagged('z')]).toEqual([['b'], ['a'], ['a']]);
    table.remove('b');
    expect(tagged('x')).toEqual([]);
    table.put('b', view('b', ['x']));
    expect(tagged('x')).toEqual(['b']);
  });

  it('files a view that comes back under a value behind those that stayed', () => {
    const { table, tagged } = setUp();
    for (const name of ['a', 'b']) table.put(name, view(name, ['x']));
    table.put('a', view('a', []));
    table.put('a', view('a', ['x']));
    expect(tagged('x')).toEqual(['b', 'a']);
  });

  it('finds out what an index throws before anything is changed', () => {
    const table = new ViewTable<Tagged>({
      tag: ({ tags }) => {
        if (tags.length === 0) throw new Error('no tags');
        return tags;
      },
    });
    expect(() => table.check(view('a', []))).toThrow('no tags');
    expect(() => table.check(view('a', ['x']))).not.toThrow();
    expect(table.views.size).toBe(0);
  });

  it('may have no index, and then refuses to look one up', () => {
    const table = new ViewTable<Tagged>();
    table.put('a', view('a', []));
    expect(() => table.byIndex('tag', 'x')).toThrow('the cache has no index tag');
  });
});
