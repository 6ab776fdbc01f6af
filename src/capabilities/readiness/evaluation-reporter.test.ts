import { noAnswers } from '../../runtime/asked.ts';
import { describe, expect, it } from 'vitest';
import { shelfCaches } from '../../../test/support/capability-builder.ts';
import { ruleView } from '../../../test/support/rule-builder.ts';
import { createNodeStateStore } from '../../fleet/store.ts';
import { priorities } from '../../runtime/ports.ts';
import { lifecycleSpec, nodeSpec } from '../../runtime/specs.ts';
import { evaluationReporter } from './evaluation-reporter.ts';
import { pairKey, projectEvaluation, wantedEvaluation } from './evaluation.ts';
import { readinessSpecs } from './specs.ts';

const specs = readinessSpecs({ nodes: nodeSpec, lifecycles: lifecycleSpec });
const keyOf = (nodeName: string) => pairKey({ front: 'NodeReadinessGateRule', ruleName: 'cni', nodeName });

describe('an evaluation', () => {
  it('that is to be born waits behind one that there is, which is told like any change', () => {
    const caches = shelfCaches();
    const { body } = wantedEvaluation('cni-known', ruleView(), { nodeName: 'known', status: {} });
    caches.sync(specs.evaluations, projectEvaluation(body));
    const view = { caches, store: createNodeStateStore(), answers: noAnswers };
    const { priorityOf } = evaluationReporter(specs, 'all');
    const [known, unborn] = ['known', 'new'].map((name) => priorityOf?.(keyOf(name), view) ?? 'release');
    expect([known, unborn]).toEqual(['change', 'resync']);
    expect(priorities.indexOf('resync')).toBeGreaterThan(priorities.indexOf('change'));
  });
});
