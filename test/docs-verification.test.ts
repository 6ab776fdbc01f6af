// What is written about verification is true: its manifests are accepted, its reasons exist, its checks are known, its examples do
// what the words around them say.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { load } from 'js-yaml';
import { beforeAll, describe, expect, it } from 'vitest';
import { crdManifest } from '../src/api/crd.ts';
import { nodeVerificationKind } from '../src/api/node-verification.ts';
import { reasonMeanings } from '../src/api/reasons.ts';
import { verificationDefaults } from '../src/api/verification-vocabulary.ts';
import { checkDefinition } from '../src/apiserver/schema/check-definition.ts';
import { compileSchema } from '../src/apiserver/schema/compile-schema.ts';
import { chosenChecks } from '../src/capabilities/verification/custom-checks.ts';
import { readOperatorConfig } from '../src/cli/operator-config.ts';
import { formatProblem } from '../src/base/result.ts';
import { projectPolicy } from '../src/capabilities/verification/policy.ts';
import { checks } from '../src/checks/list.ts';
import { readPlan } from '../src/checks/plan.ts';
import { createTargetRules } from '../src/checks/targets.ts';
import type { RawObject } from '../src/objects/raw.ts';
import { defaultWorkerLimits } from '../src/runtime/arbitrate-worker.ts';
import { type EmbeddedServer, startEmbeddedServer } from './support/embedded-server.ts';

const root = path.resolve(import.meta.dirname, '..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const pages = [
  'docs/guides/verification.md',
  'docs/reference/verification.md',
  'src/capabilities/verification/README.md',
];

/** The part of a config file of the operator that the guide shows: what its policies may name. */
const configuration = [...read('docs/guides/verification.md').matchAll(/```yaml\n([^]*?)```/g)]
  .map(([, sample = '']) => load(sample) as RawObject)
  .filter((sample) => 'worker' in sample);
const { value: configured } = await readOperatorConfig(['--config', 'guide'], {
  environment: {},
  read: async () => ({ kind: 'ok', value: configuration[0] }) as const,
}).then((config) => {
  if (config.kind === 'error') throw new Error(config.error.map(formatProblem).join('; '));
  return config;
});
const { custom } = configured;
const policyOf = (sample: RawObject) => projectPolicy(sample, custom.checks);

const samples = pages.flatMap((page) =>
  [...read(page).matchAll(/```yaml\n([^]*?)```/g)]
    .map(([, sample = '']) => load(sample) as RawObject)
    .filter(({ kind }) => kind === nodeVerificationKind.type.kind)
    .map((sample) => [`${sample.metadata?.name} of ${page}`, sample] as const),
);

describe('manifests of verification in documents', () => {
  const collection = '/apis/muster.dev/v1alpha1/nodeverifications';
  let server: EmbeddedServer;
  beforeAll(async () => {
    server = startEmbeddedServer({
      schemas: { checkDefinition, compileSchema: (schema) => compileSchema(schema) },
    });
    const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    expect(server.call('POST', definitions, crdManifest(nodeVerificationKind)).code).toBe(201);
    await server.settle();
  });

  it('are shown on every page', () => {
    expect(samples.length).toBeGreaterThanOrEqual(pages.length);
  });

  it.each(samples)('%s is accepted by the API server, and no field is dropped', (_, sample) => {
    const reply = server.call('POST', `${collection}?dryRun=All&fieldValidation=Strict`, sample);
    expect([reply.code, reply.body.message]).toEqual([201, undefined]);
    expect(reply.body.spec).toMatchObject(sample.spec ?? {});
  });

  it.each<[string, object, string]>([
    [
      'a taint that Kubernetes sets itself',
      { taints: [{ key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }] },
      'spec.taints[0].key: Invalid value: "node.kubernetes.io/not-ready": the taint belongs to Kubernetes or to an autoscaler',
    ],
    [
      'a taint key that is none',
      { taints: [{ key: 'a b', effect: 'NoSchedule' }] },
      'spec.taints[0].key: Invalid value: "a b"',
    ],
    [
      'a label that Kubernetes sets itself',
      { verifiedLabel: { key: 'kubernetes.io/hostname' } },
      'spec.verifiedLabel.key: Invalid value: "kubernetes.io/hostname": the label is set by Kubernetes or by a provider',
    ],
  ])('do not name %s: it is refused at admission, and by who reads one from before', (_, change, words) => {
    const [, sample] = samples[0] ?? [];
    const policy = { ...sample, spec: { ...(sample?.spec as object), ...change } };
    const reply = server.call('POST', `${collection}?dryRun=All`, policy);
    expect([reply.code, reply.body.message]).toEqual([422, expect.stringContaining(words)]);
    const { policy: read, problems } = projectPolicy(policy);
    expect([read, problems.map(({ path }) => path)]).toEqual([null, [words.split(':')[0]]]);
  });

  it.each(samples)('%s asks for checks that a worker can run', (_, sample) => {
    const { policy, problems } = policyOf(sample);
    expect(problems).toEqual([]);
    const plan = chosenChecks(policy, { checks: [{ name: 'dns' }], custom }).own;
    const targets = createTargetRules({ allowed: [], denied: [] });
    expect(readPlan(plan, { timeoutMs: 5_000, triesMax: 1, targets, params: {} })).toMatchObject({
      kind: 'ok',
    });
  });

  it('would be refused with a field that does not exist', () => {
    const [, sample] = samples[0] ?? [];
    const wrong = { ...sample, spec: { ...(sample?.spec as object), retries: 3 } };
    expect(server.call('POST', `${collection}?dryRun=All&fieldValidation=Strict`, wrong).code).toBe(400);
  });
});

describe('words about verification in documents', () => {
  const guide = read('docs/guides/verification.md');
  const reference = read('docs/reference/verification.md');

  it('name reasons that exist', () => {
    const [, table = ''] = /\| reason +\| what to look at[^\n]*\n([^]*?)\n\n/.exec(guide) ?? [];
    const named = [...table.matchAll(/^\| `(\w+)`/gm)].map(([, reason = '']) => reason);
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((reason) => !Object.hasOwn(reasonMeanings, reason))).toEqual([]);
    const said = [...`${guide}${reference}`.matchAll(/`((?:Worker|Verification|Check|Node[A-Z])\w+)`/g)]
      .map(([, reason = '']) => reason)
      .filter((reason) => !['NodeVerification', 'NodeLifecycle', 'NodePool'].includes(reason));
    expect(said.filter((reason) => !Object.hasOwn(reasonMeanings, reason))).toEqual([]);
  });

  it('say the limits and defaults that hold', () => {
    const { concurrent, inCrowd, perSecond, burst } = defaultWorkerLimits;
    expect(reference).toMatch(new RegExp(`\\| workers at once +\\| ${concurrent} +\\|`));
    expect(reference).toMatch(new RegExp(`\\| workers at once in a crowd +\\| ${inCrowd} +\\|`));
    expect(reference).toMatch(
      new RegExp(`\\| starts per second +\\| ${perSecond}, ${burst} at a burst +\\|`),
    );
    const { workerTimeoutSeconds, nodeReadyTimeoutSeconds, deadlineSeconds } = verificationDefaults;
    expect(reference).toContain(`\`workerTimeoutSeconds\`, ${workerTimeoutSeconds} s`);
    expect(reference).toContain(`\`nodeReadyTimeoutSeconds\`, ${nodeReadyTimeoutSeconds / 60} min`);
    expect(reference).toContain(`${deadlineSeconds / 60} minutes`);
  });

  it('name checks that exist', () => {
    const names = [...checks, ...custom.checks].map(({ name }) => name);
    const shown = samples.flatMap(([, sample]) => policyOf(sample).policy?.checks ?? []);
    expect(shown.length).toBeGreaterThan(3);
    expect(shown.filter(({ name }) => !names.includes(name))).toEqual([]);
  });

  it('name custom checks as the configuration beside them defines them', () => {
    expect(custom.checks.map(({ name }) => name)).toEqual(['licence-server', 'kernel-modules']);
    const shown = samples.flatMap(
      ([, sample]) => chosenChecks(policyOf(sample).policy, { checks: [], custom }).custom,
    );
    expect(shown.map(({ name, severity }) => [name, severity])).toEqual([
      ['licence-server', 'required'],
      ['kernel-modules', 'advisory'],
    ]);
  });

  it('fit on one page beside the code', () => {
    const lines = read('src/capabilities/verification/README.md').trimEnd().split('\n');
    expect(lines.length).toBeLessThanOrEqual(40);
  });
});
