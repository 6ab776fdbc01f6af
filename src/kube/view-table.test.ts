import { describe, expect, it } from 'vitest';
import type { ObjectView } from '../objects/raw.ts';
import type { Rows } from '../runtime/ports.ts';
import { ViewTable } from './view-table.ts';

type Tagged = ObjectView & { readonly tags: readonly string[] };

const view = (name: string, tags: readonly string[], uid = name): Tagged => ({
  namespace: '',
  name,
  uid,
  resourceVersion: '1',
  tags,
});

/** Makes each view anew whenever it is looked at. */
class TextRows implements Rows<Tagged> {
  readonly #texts = new Map<string, string>();

  get size() {
    return this.#texts.size;
  }
  get(key: string) {
    const text = this.#texts.get(key);
    return text === undefined ? undefined : (JSON.parse(text) as Tagged);
  }
  has = (key: string) => this.#texts.has(key);
  set = (key: string, tagged: Tagged) => void this.#texts.set(key, JSON.stringify(tagged));
  delete = (key: string) => this.#texts.delete(key);
  keys = () => this.#texts.keys();
  values = () => this.#texts.values().map((text) => JSON.parse(text) as Tagged);
  entries = () =>
    this.#texts.entries().map(([key, text]): [string, Tagged] => [key, JSON.parse(text) as Tagged]);
}
const ways = { held: undefined, 'made anew': () => new TextRows() };

function setUp(way: (() => Rows<Tagged>) | undefined) {
  const table = new ViewTable<Tagged>({
    indexes: { tag: ({ tags }) => tags, name: ({ name }) => [name] },
    counts: { tag: ({ tags }) => tags },
    ...(way === undefined ? {} : { makeRows: way }),
  });
  const tagged = (tag: string) => table.byIndex('tag', tag).map(({ name }) => name);
  return { table, tagged };
}

describe.each(Object.entries(ways))('a table of views that are %s', (_, way) => {
  it('answers each change with what it changed', () => {
    const { table } = setUp(way);
    const [first, second, other] = [view('a', ['x']), view('a', ['y']), view('a', ['z'], 'another')];
    expect(table.put('a', first)).toEqual([{ kind: 'added', now: first }]);
    expect(table.put('a', second)).toEqual([{ kind: 'updated', before: first, now: second }]);
    expect(table.put('a', other)).toEqual([
      { kind: 'deleted', before: second },
      { kind: 'added', now: other },
    ]);
    expect(table.remove('a')).toEqual([{ kind: 'deleted', before: other }]);
    expect(table.remove('a')).toEqual([]);
    expect(table.size).toBe(0);
  });

  it('tells of what is new as it is when it is told, and not at all when it is gone by then', () => {
    const { table } = setUp(way);
    const told = ['a', 'b'].flatMap((key) => table.brief(key, table.put(key, view(key, []))));
    expect(told).toEqual(['a', 'b']);
    table.put('a', view('a', ['x']));
    table.remove('b');
    expect(told.flatMap((change) => table.whole(change))).toEqual([{ kind: 'added', now: view('a', ['x']) }]);
  });

  it('tells of every other change as it was', () => {
    const { table } = setUp(way);
    table.put('a', view('a', []));
    const changes = table.put('a', view('a', [], 'another'));
    expect(table.brief('a', changes).flatMap((change) => table.whole(change))).toEqual(changes);
    const removed = table.remove('a');
    expect(table.brief('a', removed).flatMap((change) => table.whole(change))).toEqual(removed);
  });

  it('finds a view under each of its values, in the order in which they came', () => {
    const { table, tagged } = setUp(way);
    table.put('b', view('b', ['x', 'y']));
    table.put('a', view('a', ['x']));
    expect([tagged('x'), tagged('y'), tagged('z')]).toEqual([['b', 'a'], ['b'], []]);
    expect(table.byIndex('name', 'a')).toEqual([view('a', ['x'])]);
  });

  it('counts what is under a value, and lists all that there is', () => {
    const { table } = setUp(way);
    const views = [view('b', ['x', 'y']), view('a', ['x'])];
    for (const each of views) table.put(each.name, each);
    expect(['x', 'y', 'z'].map((tag) => table.countOf('tag', tag))).toEqual([2, 1, 0]);
    table.put('c', view('c', ['y']));
    table.put('c', view('c', ['x']));
    table.remove('c');
    expect(['x', 'y', 'z'].map((tag) => table.countOf('tag', tag))).toEqual([2, 1, 0]);
    expect([...table.keys()]).toEqual(['b', 'a']);
    expect([...table.values()]).toEqual(views);
    expect([...table.entries()]).toEqual([
      ['b', views[0]],
      ['a', views[1]],
    ]);
    expect([table.size, table.has('a'), table.has('c'), table.get('c')]).toEqual([2, true, false, undefined]);
  });

  it('finds a view no more under what it has lost', () => {
    const { table, tagged } = setUp(way);
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
    const { table, tagged } = setUp(way);
    for (const name of ['a', 'b']) table.put(name, view(name, ['x']));
    table.put('a', view('a', []));
    table.put('a', view('a', ['x']));
    expect(tagged('x')).toEqual(['b', 'a']);
  });

  it('finds out what an index throws before anything is changed', () => {
    const tag = ({ tags }: Tagged) => {
      if (tags.length === 0) throw new Error('no tags');
      return tags;
    };
    const table = new ViewTable<Tagged>({ indexes: { tag } });
    expect(() => table.check(view('a', []))).toThrow('no tags');
    expect(() => table.check(view('a', ['x']))).not.toThrow();
    expect(table.size).toBe(0);
  });

  it('may have no index, and then refuses to look one up', () => {
    const table = new ViewTable<Tagged>({});
    table.put('a', view('a', []));
    expect(() => table.byIndex('tag', 'x')).toThrow('the cache has no index tag');
    expect(() => table.countOf('tag', 'x')).toThrow('the cache has no count tag');
  });
});
