// What readiness decides for one node and its rules, and what comes of it: for tests of the decision alone.

import { decide } from '../../src/capabilities/readiness/decide.ts';
import { gather } from '../../src/capabilities/readiness/gather.ts';
import { readinessSpecs } from '../../src/capabilities/readiness/specs.ts';
import { applyMergePatch } from '../../src/objects/patch.ts';
import type { RawObject } from '../../src/objects/raw.ts';
import { mergeWishes } from '../../src/objects/wish.ts';
import { planNodePatch } from '../../src/runtime/node-patch.ts';
import { lifecycleSpec, nodeSpec } from '../../src/runtime/specs.ts';
import { shelfCaches } from './capability-builder.ts';
import { viewOfNode } from './node-builder.ts';
import { type RuleSketch, ruleView } from './rule-builder.ts';

const noon = Date.UTC(2026, 0, 1, 12);
const specs = readinessSpecs({ nodes: nodeSpec, lifecycles: lifecycleSpec });

export function decided(node: RawObject, rules: readonly RuleSketch[]) {
  const caches = shelfCaches();
  const views = rules.map(ruleView);
  const of = (front: string) => views.filter((view) => view.front === front);
  caches.sync(specs.rules.NodeReadinessGateRule, ...of('NodeReadinessGateRule'));
  caches.sync(specs.rules.NodeReadinessRule, ...of('NodeReadinessRule'));
  return decide(gather(caches, specs, viewOfNode(node)), noon);
}

export function plan(node: RawObject, rules: readonly RuleSketch[]) {
  const { wish } = decided(node, rules);
  const { keys } = mergeWishes([{ capability: 'readiness', rank: 3, wish }]);
  return planNodePatch(viewOfNode(node), keys, []);
}

export const carriedOut = (node: RawObject, rules: readonly RuleSketch[]): RawObject =>
  applyMergePatch(node, plan(node, rules).patch ?? {}) as RawObject;

export const taintsOf = (node: RawObject) => viewOfNode(node).taints;
