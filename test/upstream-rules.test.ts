// NodeReadinessRules on the embedded API server: taken as kubernetes-sigs' definition takes them, refused in its words. The same
// tables are gone through on a real API server.

import { beforeAll, describe, expect, it } from 'vitest';
import { crdManifest } from '../src/api/crd.ts';
import { nodeReadinessRuleKind } from '../src/api/node-readiness-rule.ts';
import { checkDefinition } from '../src/apiserver/schema/check-definition.ts';
import { compileSchema } from '../src/apiserver/schema/compile-schema.ts';
import { type EmbeddedServer, startEmbeddedServer } from './support/embedded-server.ts';
import { upstreamChanges, upstreamRefusals, upstreamRule } from './support/upstream-rules.ts';

const RULES = '/apis/readiness.node.x-k8s.io/v1alpha1/nodereadinessrules';
let cluster: EmbeddedServer;

beforeAll(async () => {
  cluster = startEmbeddedServer({
    schemas: { checkDefinition, compileSchema: (schema) => compileSchema(schema) },
  });
  const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  expect(cluster.call('POST', definitions, crdManifest(nodeReadinessRuleKind)).code).toBe(201);
  await cluster.settle();
  expect(cluster.call('POST', RULES, upstreamRule('fixed')).code).toBe(201);
});

describe('a NodeReadinessRule', () => {
  it.each(upstreamRefusals)('with %s is refused', (_, change, words) => {
    const { code, body } = cluster.call('POST', RULES, upstreamRule('refused', change));
    expect(code).toBe(422);
    expect(body.message).toContain(words);
  });

  it.each(upstreamChanges)('keeps its %s for ever', (_, spec, words) => {
    const { code, body } = cluster.call('PATCH', `${RULES}/fixed`, { spec });
    expect(code).toBe(422);
    expect(body.message).toContain(words);
  });

  it('may be given a value of its taint that it had not', () => {
    const taint = { key: 'readiness.k8s.io/NetworkReady', effect: 'NoSchedule' };
    expect(cluster.call('POST', RULES, upstreamRule('valueless', { taint })).code).toBe(201);
    const spec = { taint: { value: 'pending' } };
    expect(cluster.call('PATCH', `${RULES}/valueless`, { spec }).code).toBe(200);
  });
});
