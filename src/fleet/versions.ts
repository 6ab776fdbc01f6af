// Which version a named node configuration carries: learned from configuration objects, read when a node is evaluated.

import type { Ingested } from './pools.ts';

export interface ConfigVersionCache {
  versionFor(config: string): string | null;
  ingest(config: string, version: string): Ingested;
  forget(config: string): boolean;
  getAll(): ReadonlyMap<string, string>;
}

export function createConfigVersionCache(): ConfigVersionCache {
  const versions = new Map<string, string>();
  return {
    versionFor: (config) => versions.get(config) ?? null,
    ingest(config, version) {
      const before = versions.get(config);
      versions.set(config, version);
      if (before === undefined) return { isModified: true, reason: `config ${config} is new` };
      const isModified = before !== version;
      return {
        isModified,
        reason: isModified
          ? `config ${config} went from ${before} to ${version}`
          : `config ${config} is the same`,
      };
    },
    forget: (config) => versions.delete(config),
    getAll: () => new Map(versions),
  };
}
