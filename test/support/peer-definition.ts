// The definition of NodeReadinessRule as the controller that it comes from installs it, as far as it concerns us: the fields that
// it knows, and none of those that we add to the status. What it does not know it prunes.

import { crdManifest } from '../../src/api/crd.ts';
import { nodeReadinessRuleKind } from '../../src/api/node-readiness-rule.ts';
import { isRecord, type RawObject, recordsIn } from '../../src/objects/raw.ts';

/** In our status, and unknown to theirs. */
const addedStatusFields = ['summary', 'conditions', 'failedNodeCount'] as const;

export const peerDefinition: RawObject = without(crdManifest(nodeReadinessRuleKind));

function without(ours: RawObject): RawObject {
  const copy: RawObject = structuredClone(ours);
  for (const version of isRecord(copy.spec) ? recordsIn(copy.spec['versions']) : []) {
    const fields = pathIn(version, 'schema', 'openAPIV3Schema', 'properties', 'status', 'properties');
    for (const name of addedStatusFields)
      if (!Reflect.deleteProperty(fields, name)) throw new Error(`our status has no ${name}`);
  }
  return copy;
}

function pathIn(value: unknown, ...path: readonly string[]): Record<string, unknown> {
  let found = value;
  for (const step of path) found = isRecord(found) ? found[step] : undefined;
  if (!isRecord(found)) throw new Error(`the definition has no ${path.join('.')}`);
  return found;
}
