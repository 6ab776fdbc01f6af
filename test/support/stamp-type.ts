// The kind of the capability for scenarios.

import type { ResourceType } from '../../src/objects/ref.ts';

export const stampType: ResourceType = {
  group: 'test.muster.dev',
  version: 'v1',
  plural: 'stamps',
  kind: 'Stamp',
  scope: 'Cluster',
};
