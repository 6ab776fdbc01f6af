// What a rule that is being deleted has left: the nodes with its taint, by their records, and whether the policy lets anybody take it away.

import type { Reason } from '../../api/reasons.ts';
import type { RuleView } from '../../fleet/readiness-rule.ts';
import { fieldsOf, recordsIn, textOf } from '../../objects/raw.ts';
import { parseTaintId } from '../../objects/taint.ts';
import type { DepartureFacts } from '../../present/rule-departure.ts';
import type { KubeApi } from '../../runtime/ports.ts';
import type { NodeRecord } from './node-record.ts';
import { readPolicyAndRecords } from './policy-reading.ts';

export type DepartureReading = {
  readonly departure: DepartureFacts;
  readonly blindSpots: readonly string[];
};

export async function readDeparture(api: KubeApi, view: RuleView): Promise<DepartureReading> {
  const { rule } = view;
  const { gating, records, blindSpots } = await readPolicyAndRecords(api, 'Which nodes carry its taint');
  const taint = parseTaintId(rule?.taint ?? '');
  const isCarrier = ({ status: { gates = [] } }: NodeRecord) =>
    gates.some(({ key, effect }) => key === taint.key && effect === taint.effect);
  const carriers = rule === null ? null : (records?.filter(isCarrier).map(({ name }) => name) ?? null);
  const departure = { carriers, isObserving: gating?.authority === 'observe', told: toldOf(view) };
  return { departure, blindSpots };
}

/** What it was called before it was deleted says nothing of what it waits for. */
function toldOf({ statusText }: RuleView): string {
  const reason: Reason = 'RuleBeingDeleted';
  const conditions = recordsIn(fieldsOf(JSON.parse(statusText))['conditions']);
  return textOf(conditions.find((condition) => condition['reason'] === reason)?.['message']);
}
