// The scenarios, in the order in which they are run and reported. To add one: a file in the folder and a line here; every fault is
// enumerated over it without further code.

import type { Scenario } from './scenario.ts';
import { births } from './scenarios/births.ts';
import { contest } from './scenarios/contest.ts';
import { definitionDeleted } from './scenarios/definition-deleted.ts';
import { departures } from './scenarios/departures.ts';
import { forgedRecord } from './scenarios/forged-record.ts';
import { leaderChange } from './scenarios/leader-change.ts';
import { leaseDeleted } from './scenarios/lease-deleted.ts';
import { ownedRecord } from './scenarios/owned-record.ts';
import { reCreation } from './scenarios/re-creation.ts';

export const scenarios: readonly Scenario[] = [
  births,
  ownedRecord,
  reCreation,
  departures,
  forgedRecord,
  contest,
  definitionDeleted,
  leaderChange,
  leaseDeleted,
];
