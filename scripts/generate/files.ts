// What is generated, as texts by path. Reads nothing but the sources, so the same sources always give the same texts.

import { crdManifest, kindProblems } from '../../src/api/crd.ts';
import { disruptionPolicyKind } from '../../src/api/disruption-policy.ts';
import { kinds } from '../../src/api/kinds.ts';
import { stageMeanings } from '../../src/api/lifecycle-vocabulary.ts';
import { nodeLifecycleKind } from '../../src/api/node-lifecycle.ts';
import { nodeReadinessEvaluationKind } from '../../src/api/node-readiness-evaluation.ts';
import { nodeReadinessGateRuleKind } from '../../src/api/node-readiness-gate-rule.ts';
import { nodeReadinessRuleKind } from '../../src/api/node-readiness-rule.ts';
import { nodeVerificationKind } from '../../src/api/node-verification.ts';
import { customCodeMeanings } from '../../src/api/custom-check.ts';
import { coreRules, optionalRights, type PolicyRule } from '../../src/api/rbac.ts';
import { reasonMeanings } from '../../src/api/reasons.ts';
import { codeMeanings } from '../../src/checks/codes.ts';
import { daemonsetOptions } from '../../src/cli/daemonset-options.ts';
import { operatorOptions } from '../../src/cli/operator-options.ts';
import { reporterOptions } from '../../src/cli/reporter/options.ts';
import { workerOptions } from '../../src/cli/worker-options.ts';
import { formatProblem } from '../../src/base/result.ts';
import { readinessRules } from '../../src/capabilities/readiness/rbac.ts';
import { verificationRules } from '../../src/capabilities/verification/rbac.ts';
import { resourceName } from '../../src/objects/ref.ts';
import { alertGroups, alertTable, prometheusRule } from './alerts.ts';
import { admissionManifests } from './admission-manifests.ts';
import { checkTable, paramTable } from './check-reference.ts';
import { cliBlocks } from './cli-reference.ts';
import { optionalManifests, rbacManifests, rulesOf } from './rbac-manifests.ts';
import { metricTable, optionTable, variableTable } from './operator-reference.ts';
import { fieldTable, fillBlocks, meaningTable } from './reference.ts';
import { simBlocks } from './sim-reference.ts';
import { formatManifests, formatRules } from './yaml.ts';

export type GeneratedFile = { readonly path: string; readonly text: string };

/** Whole folders: what else lies there is removed. */
export const generatedFolders = [
  'config/crds',
  'config/rbac',
  'config/rbac-optional',
  'config/admission',
  'config/alerts',
  'charts/muster/crds',
  'charts/muster/files',
] as const;

/** Pages of which only the marked blocks are generated. */
export const referencePages = [
  'docs/reference/node-lifecycle.md',
  'docs/reference/disruption-policy.md',
  'docs/reference/readiness.md',
  'docs/reference/verification.md',
  'docs/reference/reasons.md',
  'docs/reference/operator.md',
  'docs/reference/sim.md',
  'docs/reference/cli.md',
  'docs/reference/reporter.md',
  'docs/reference/checks.md',
] as const;

/** The rights of the operator: its own, then those of each capability. To add a capability: one line. */
const operatorRules: readonly PolicyRule[] = [coreRules, readinessRules, verificationRules].flat();

export function generatedFiles(pages: ReadonlyMap<string, string>): readonly GeneratedFile[] {
  return [...crdFiles(), ...rbacFiles(), ...admissionFiles(), ...alertFiles(), ...pageFiles(pages)];
}

function crdFiles(): readonly GeneratedFile[] {
  return kinds.flatMap((kind) => {
    const problems = kindProblems(kind);
    if (problems.length > 0) throw new Error(`${kind.type.kind}: ${problems.map(formatProblem).join('; ')}`);
    const name = `${resourceName(kind.type)}.yaml`;
    const text = formatManifests([crdManifest(kind)]);
    return [
      { path: `config/crds/${name}`, text },
      { path: `charts/muster/crds/${name}`, text },
    ];
  });
}

function rbacFiles(): readonly GeneratedFile[] {
  return [
    { path: 'config/rbac/operator.yaml', text: formatManifests(rbacManifests(operatorRules)) },
    { path: 'charts/muster/files/cluster-rules.yaml', text: formatRules(rulesOf(operatorRules, 'Cluster')) },
    {
      path: 'charts/muster/files/namespace-rules.yaml',
      text: formatRules(rulesOf(operatorRules, 'Namespace')),
    },
    ...optionalRights.flatMap((right) => [
      {
        path: `config/rbac-optional/${right}.yaml`,
        text: formatManifests(optionalManifests(operatorRules, right)),
      },
      {
        path: `charts/muster/files/${right}-rules.yaml`,
        text: formatRules(
          (['Cluster', 'Namespace'] as const).flatMap((scope) => rulesOf(operatorRules, scope, right)),
        ),
      },
    ]),
  ];
}

function admissionFiles(): readonly GeneratedFile[] {
  const text = formatManifests(admissionManifests());
  return [
    { path: 'config/admission/node-birth.yaml', text },
    { path: 'charts/muster/files/node-birth.yaml', text },
  ];
}

function alertFiles(): readonly GeneratedFile[] {
  return [
    { path: 'config/alerts/rules.yaml', text: formatManifests([alertGroups()]) },
    { path: 'config/alerts/prometheus-rule.yaml', text: formatManifests([prometheusRule()]) },
  ];
}

function pageFiles(pages: ReadonlyMap<string, string>): readonly GeneratedFile[] {
  const blocks: Readonly<Record<(typeof referencePages)[number], Readonly<Record<string, string>>>> = {
    'docs/reference/node-lifecycle.md': {
      stages: meaningTable('Stage', stageMeanings),
      fields: fieldTable(nodeLifecycleKind),
    },
    'docs/reference/disruption-policy.md': { fields: fieldTable(disruptionPolicyKind) },
    'docs/reference/readiness.md': {
      'gate-rule-fields': fieldTable(nodeReadinessGateRuleKind),
      'rule-fields': fieldTable(nodeReadinessRuleKind),
      'evaluation-fields': fieldTable(nodeReadinessEvaluationKind),
    },
    'docs/reference/verification.md': { fields: fieldTable(nodeVerificationKind) },
    'docs/reference/reasons.md': { reasons: meaningTable('Reason', reasonMeanings) },
    'docs/reference/operator.md': {
      options: optionTable(operatorOptions),
      metrics: metricTable(),
      alerts: alertTable(),
    },
    'docs/reference/sim.md': simBlocks(),
    'docs/reference/cli.md': cliBlocks(),
    'docs/reference/reporter.md': { options: variableTable(reporterOptions) },
    'docs/reference/checks.md': {
      checks: checkTable(),
      params: paramTable(),
      codes: meaningTable('Code', codeMeanings),
      'custom-codes': meaningTable('Code', customCodeMeanings),
      options: optionTable(workerOptions),
      'daemonset-options': optionTable(daemonsetOptions),
    },
  };
  return referencePages.map((path) => ({ path, text: fillBlocks(pages.get(path) ?? '', blocks[path]) }));
}
