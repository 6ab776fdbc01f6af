// One kubeconfig file, and several as one: named clusters, users and contexts by kubectl's rules. The entries are read
// when a context is chosen, so that a broken entry nobody uses keeps nobody from working.

import path from 'node:path';
import type { Problem } from '../base/result.ts';
import { Fields } from './fields.ts';

/** The content of a named entry and the directory that its relative paths start from. */
export type Entry = { readonly fields: Fields; readonly dir: string };

export type Kubeconfig = {
  readonly currentContext: string;
  readonly clusters: ReadonlyMap<string, Entry>;
  readonly contexts: ReadonlyMap<string, Entry>;
  readonly users: ReadonlyMap<string, Entry>;
};

export type ParsedFile = { readonly file: string; readonly content: unknown };

export function parseKubeconfig({ file, content }: ParsedFile, problems: Problem[]): Kubeconfig {
  const fields = new Fields(content, { file, path: '' }, problems);
  if (fields.has('kind') && fields.text('kind') !== 'Config') fields.refuse('kind', 'must be Config');
  const dir = path.dirname(path.resolve(file));
  const entries = (list: string, content: string) => {
    const byName = new Map<string, Entry>();
    for (const entry of fields.records(list)) {
      const name = entry.requiredText('name');
      if (byName.has(name)) entry.refuse('name', `is the second ${JSON.stringify(name)} in this file`);
      byName.set(name, { fields: entry.record(content), dir });
    }
    return byName;
  };
  return {
    currentContext: fields.text('current-context'),
    clusters: entries('clusters', 'cluster'),
    contexts: entries('contexts', 'context'),
    users: entries('users', 'user'),
  };
}

/** The first file to name a thing wins, whole: nothing is added to an entry by a later file. */
export function mergeKubeconfigs(configs: readonly Kubeconfig[]): Kubeconfig {
  const firstOf = (list: 'clusters' | 'contexts' | 'users') =>
    new Map(configs.toReversed().flatMap((config) => [...config[list]]));
  return {
    currentContext: configs.find((config) => config.currentContext !== '')?.currentContext ?? '',
    clusters: firstOf('clusters'),
    contexts: firstOf('contexts'),
    users: firstOf('users'),
  };
}
