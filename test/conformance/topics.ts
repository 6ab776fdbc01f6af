// The suite, topic by topic.

import type { Topic } from './case.ts';
import { discovery } from './cases/discovery.ts';
import { expiry } from './cases/expiry.ts';
import { finalizers } from './cases/finalizers.ts';
import { garbage } from './cases/garbage.ts';
import { kubectlWrites } from './cases/kubectl.ts';
import { kubectlReads } from './cases/kubectl-reads.ts';
import { events, leases } from './cases/leases-and-events.ts';
import { names } from './cases/names.ts';
import { namespaces, serviceAccounts } from './cases/namespaces.ts';
import { nodes } from './cases/nodes.ts';
import { paging } from './cases/paging.ts';
import { patches } from './cases/patches.ts';
import { pods } from './cases/pods.ts';
import { podParts } from './cases/pod-parts.ts';
import { preconditions } from './cases/preconditions.ts';
import { refusals } from './cases/refusals.ts';
import { requests } from './cases/requests.ts';
import { fieldSelectors, labelSelectors } from './cases/selectors.ts';
import { rules, schemas } from './cases/schemas.ts';
import { generation, status } from './cases/status.ts';
import { partialObjects, tables } from './cases/tables.ts';
import { dryRun, fieldValidation } from './cases/trials.ts';
import { definitions, versions } from './cases/versions.ts';
import { watchStarts } from './cases/watch-starts.ts';
import { watches } from './cases/watches.ts';
import { writes } from './cases/writes.ts';

export const topics: readonly Topic[] = [
  discovery,
  requests,
  refusals,
  names,
  writes,
  preconditions,
  generation,
  status,
  finalizers,
  garbage,
  paging,
  labelSelectors,
  fieldSelectors,
  watchStarts,
  watches,
  patches,
  tables,
  partialObjects,
  dryRun,
  fieldValidation,
  schemas,
  rules,
  versions,
  definitions,
  nodes,
  leases,
  events,
  namespaces,
  serviceAccounts,
  pods,
  podParts,
  kubectlReads,
  kubectlWrites,
  expiry,
];
