// The NodeLifecycle of a node as the commands for people read it.

import type { NodeLifecycleStatus } from '../../api/node-lifecycle.ts';
import { fieldsOf, type RawObject, viewOf } from '../../objects/raw.ts';

export type NodeRecord = { readonly name: string; readonly status: NodeLifecycleStatus };

export function readRecord(raw: RawObject): NodeRecord {
  // The API server checked it against this very schema.
  return { name: viewOf(raw).name, status: fieldsOf(raw.status) };
}
