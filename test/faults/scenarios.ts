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
import { leaseNamespaceDeleted } from './scenarios/lease-namespace-deleted.ts';
import { leaseOfTheDead } from './scenarios/lease-of-the-dead.ts';
import { ownedRecord } from './scenarios/owned-record.ts';
import { reCreation } from './scenarios/re-creation.ts';
import { readinessBootstrap } from './scenarios/readiness-bootstrap.ts';
import { readinessBraked } from './scenarios/readiness-braked.ts';
import { readinessCreated } from './scenarios/readiness-created.ts';
import { readinessDefaultBrake } from './scenarios/readiness-default-brake.ts';
import { readinessDefinitionUpgraded } from './scenarios/readiness-definition-upgraded.ts';
import { readinessDeleted } from './scenarios/readiness-deleted.ts';
import { readinessEdited } from './scenarios/readiness-edited.ts';
import { readinessEvaluationBirths } from './scenarios/readiness-evaluation-births.ts';
import { readinessFlapping } from './scenarios/readiness-flapping.ts';
import { readinessInherited } from './scenarios/readiness-inherited.ts';
import { readinessLeaders } from './scenarios/readiness-leaders.ts';
import { readinessLetGo } from './scenarios/readiness-let-go.ts';
import { readinessMassJoin } from './scenarios/readiness-mass-join.ts';
import { readinessPeerDefinition } from './scenarios/readiness-peer-definition.ts';
import { readinessRelabelled } from './scenarios/readiness-relabelled.ts';
import { readinessTwoFronts } from './scenarios/readiness-two-fronts.ts';
import { verificationBirths } from './scenarios/verification-births.ts';
import { verificationControls } from './scenarios/verification-controls.ts';
import { verificationDepartures } from './scenarios/verification-departures.ts';
import { verificationEdited } from './scenarios/verification-edited.ts';
import { verificationLeaders } from './scenarios/verification-leaders.ts';
import { verificationMadeAnew } from './scenarios/verification-made-anew.ts';
import { verificationRetries } from './scenarios/verification-retries.ts';

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
  leaseNamespaceDeleted,
  leaseOfTheDead,
  readinessCreated,
  readinessEdited,
  readinessDeleted,
  readinessRelabelled,
  readinessFlapping,
  readinessBootstrap,
  readinessTwoFronts,
  readinessPeerDefinition,
  readinessDefinitionUpgraded,
  readinessEvaluationBirths,
  readinessLeaders,
  readinessLetGo,
  readinessInherited,
  readinessBraked,
  readinessDefaultBrake,
  readinessMassJoin,
  verificationLeaders,
  verificationBirths,
  verificationRetries,
  verificationDepartures,
  verificationControls,
  verificationMadeAnew,
  verificationEdited,
];
