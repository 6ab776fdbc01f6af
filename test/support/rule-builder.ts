// Readiness rules for tests: one condition, one taint, the blue pool; a test names only what differs.

import { finalizerOf, type Front, projectRule, type RuleView } from '../../src/fleet/readiness-rule.ts';
import { cniSpec } from './readiness-scene.ts';

export type RuleSketch = {
  readonly name?: string;
  readonly uid?: string;
  readonly front?: Front;
  readonly generation?: number;
  readonly createdAt?: string;
  readonly isDeleting?: boolean;
  /** While it is being deleted it has ours, unless a test says otherwise. */
  readonly finalizers?: readonly string[];
  readonly annotations?: Readonly<Record<string, string>>;
  readonly spec?: object;
  readonly status?: object;
};

export function ruleView(sketch: RuleSketch = {}): RuleView {
  const {
    name = 'cni',
    front = 'NodeReadinessGateRule',
    generation = 1,
    createdAt = '2026-01-01T00:00:00Z',
  } = sketch;
  const finalizers = sketch.finalizers ?? [finalizerOf({ front })];
  return projectRule(front, {
    metadata: {
      name,
      uid: sketch.uid ?? `uid-of-${name}`,
      resourceVersion: '5',
      generation,
      creationTimestamp: createdAt,
      annotations: sketch.annotations ?? {},
      ...(sketch.isDeleting ? { deletionTimestamp: '2026-01-02T00:00:00Z', finalizers } : {}),
    },
    spec: { ...cniSpec, ...sketch.spec },
    status: sketch.status ?? {},
  });
}
