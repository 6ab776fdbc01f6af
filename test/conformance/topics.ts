// The suite, topic by topic.

import { discovery } from './cases/discovery.ts';
import { names } from './cases/names.ts';
import { preconditions } from './cases/preconditions.ts';
import { requests } from './cases/requests.ts';
import { generation, status } from './cases/status.ts';
import { writes } from './cases/writes.ts';
import type { Topic } from './case.ts';

export const topics: readonly Topic[] = [
  discovery,
  requests,
  names,
  writes,
  preconditions,
  generation,
  status,
];
