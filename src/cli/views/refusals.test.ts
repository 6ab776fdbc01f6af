// What people see where something is missing: kinds, rights, an operator, a cluster.

import { describe, expect, it } from 'vitest';
import {
  disruptionPolicyType,
  nodeReadinessEvaluationType,
  nodeReadinessGateRuleType,
  peerLeaseNames,
} from '../../api/keys.ts';
import { err } from '../../base/result.ts';
import { leaseType, nodeType, type ResourceType } from '../../objects/ref.ts';
import type { FailureReason, KubeApi } from '../../runtime/ports.ts';
import { apiFailure } from '../../../test/support/api-failure.ts';
import { manualClock } from '../../../test/support/manual-clock.ts';
import { printed, startViewScene } from '../../../test/support/view-scene.ts';
import { explainCommand } from './explain.ts';
import { nodesCommand } from './nodes.ts';
import { rulesCommand } from './rules.ts';
import { runView } from './view-command.ts';

const spec = {
  conditions: [{ type: 'a.io/Up', requiredStatus: 'True' }],
  enforcementMode: 'continuous',
  taint: { key: 'readiness.k8s.io/up', effect: 'NoSchedule' },
  nodeSelector: { matchLabels: { pool: 'blue' } },
};
const look = { columns: 80, hasColour: false };

/** The same cluster, in which these kinds cannot be read. */
function without(api: KubeApi, types: readonly ResourceType[], reason: FailureReason): KubeApi {
  const isDenied = (type: ResourceType) => types.some(({ plural }) => plural === type.plural);
  return {
    ...api,
    get: async (ref, options) => (isDenied(ref.type) ? err(apiFailure(reason)) : api.get(ref, options)),
    list: async (selection, page, options) =>
      isDenied(selection.type) ? err(apiFailure(reason)) : api.list(selection, page, options),
  };
}

describe('a cluster without the kinds', () => {
  it.each([
    ['rules', rulesCommand, '', 'nodereadinessgaterules.nodereadiness.io'],
    ['explain', explainCommand, 'rule a', 'nodereadinessgaterules.nodereadiness.io'],
    ['nodes', nodesCommand, '', 'nodelifecycles.muster.dev'],
  ] as const)('makes %s say how to add them', async (name, command, line, resource) => {
    const scene = await startViewScene({ hasDefinitions: false });
    const print = scene.print as (command: unknown, line: string) => Promise<unknown>;
    expect(await print(command, line)).toEqual({
      code: 1,
      out: '',
      err: `muster ${name}: ${resource}: the cluster does not have this kind; muster crds | kubectl apply -f - adds it`,
    });
    await scene.stop();
  });
});

describe('a cluster without one of the kinds', () => {
  it('is told about where rules are listed', async () => {
    const scene = await startViewScene();
    const reader = {
      api: without(scene.api, [nodeReadinessGateRuleType], 'NotServed'),
      clock: scene.clock,
      look,
    };
    expect(await printed(rulesCommand, '', reader)).toEqual({
      code: 0,
      out: '',
      err: 'The cluster does not have the kind NodeReadinessGateRule; muster crds | kubectl apply -f - adds it.\nThere are no readiness rules.',
    });
    await scene.stop();
  });

  it('does not look like one in which nothing was evaluated', async () => {
    const scene = await startViewScene();
    await scene.putRule('up', spec);
    const reader = {
      api: without(scene.api, [nodeReadinessEvaluationType], 'NotServed'),
      clock: scene.clock,
      look,
    };
    const { out } = await printed(explainCommand, 'rule up', reader);
    expect(out.replaceAll(/\s+/g, ' ')).toContain(
      'Not seen Evaluations: the cluster does not have the kind NodeReadinessEvaluation; muster crds',
    );
    await scene.stop();
  });
});

describe('a cluster without an operator', () => {
  it('has rules of which nothing is known, and says so', async () => {
    const scene = await startViewScene();
    expect(await scene.print(rulesCommand)).toEqual({
      code: 0,
      out: '',
      err: 'There are no readiness rules.',
    });
    await scene.putRule('up', spec);
    await scene.putUpstreamRule('up', spec);
    expect((await scene.print(rulesCommand)).out).toMatch(/nrgr\/up +continuous +up +- +- +- +Applying/);
    const { code, out } = await scene.print(explainCommand, 'rule nrgr/up');
    expect([code, out.includes('No operator has reported on this rule yet.')]).toEqual([0, true]);
    await scene.stop();
  });

  it('may have two rules of one name, which must be told apart', async () => {
    const scene = await startViewScene();
    await scene.putRule('up', spec);
    await scene.putUpstreamRule('up', spec);
    expect(await scene.print(explainCommand, 'rule up')).toEqual({
      code: 2,
      out: '',
      err: 'muster explain: up: both kinds have a rule of this name; say nrgr/up or nrr/up',
    });
    for (const kind of [
      'nrr',
      'nodereadinessrule',
      'NodeReadinessRules',
      'nodereadinessrules.readiness.node.x-k8s.io',
    ])
      expect((await scene.print(explainCommand, `rule ${kind}/up`)).out).toMatch(/^NodeReadinessRule up/);
    await scene.stop();
  });

  it('may have another controller, which is named', async () => {
    const scene = await startViewScene();
    await scene.putUpstreamRule('up', spec);
    await scene.put(
      { group: '', version: 'v1', plural: 'namespaces', kind: 'Namespace', scope: 'Cluster' },
      {
        metadata: { name: 'nrr-system' },
      },
    );
    await scene.put(leaseType, {
      metadata: { name: peerLeaseNames.NodeReadinessRule, namespace: 'nrr-system' },
      spec: { holderIdentity: 'nrc-7f' },
    });
    expect((await scene.print(rulesCommand)).out).toContain('PeerPresent');
    const { out } = await scene.print(explainCommand, 'rule up');
    expect(out).toContain('It is nrc-7f that serves rules of this kind.');
    expect(out).not.toContain('Is one running');
    await scene.stop();
  });
});

describe('a rule that is being deleted', () => {
  const deleteRule = (api: KubeApi) =>
    api.delete({ type: nodeReadinessGateRuleType, namespace: '', name: 'up' });

  it('names the node with a taint that the policy lets nobody take away', async () => {
    const scene = await startViewScene();
    await scene.put(disruptionPolicyType, { metadata: { name: 'default' }, spec: { authority: 'observe' } });
    await scene.join('a', { labels: { pool: 'blue' }, taints: [spec.taint] });
    await scene.putRule('up', spec);
    scene.startOperator();
    await scene.run(10_000);
    await deleteRule(scene.api);
    await scene.run(10_000);
    const { code, out } = await scene.print(explainCommand, 'rule up');
    const said = out.replaceAll(/\s+/g, ' ');
    expect(code).toBe(3);
    expect(said).toMatch(/^NodeReadinessGateRule up: it is being deleted\./);
    expect(said).toContain('1 node still carries its taint: a. The authority of the policy is to observe');
    expect((await scene.print(rulesCommand)).out).toContain('RuleBeingDeleted');
    await scene.stop();
  });

  it('waits for an operator where none runs', async () => {
    const scene = await startViewScene();
    await scene.putRule('up', spec);
    await scene.merge(nodeReadinessGateRuleType, 'up', { metadata: { finalizers: ['somebody.io/else'] } });
    await deleteRule(scene.api);
    const { code, out } = await scene.print(explainCommand, 'rule up');
    expect(code).toBe(0);
    expect(out.replaceAll(/\s+/g, ' ')).toContain('If nothing moves, is one running?');
    await scene.stop();
  });
});

describe('a user with fewer rights', () => {
  it('still gets the rules without the right to list Leases, and is told what was not seen', async () => {
    const scene = await startViewScene();
    await scene.putRule('up', spec);
    const reader = { api: without(scene.api, [leaseType, nodeType], 'Forbidden'), clock: scene.clock, look };
    expect((await printed(rulesCommand, '', reader)).code).toBe(0);
    const { out } = await printed(explainCommand, 'rule up', reader);
    expect(out.replaceAll(/\s+/g, ' ')).toContain(
      'Not seen Whether another controller serves NodeReadinessGateRules (Lease ba65f13e.nodereadiness.io): injected Forbidden',
    );
    await scene.stop();
  });

  it('is refused with the words of the API server where nothing can be shown', async () => {
    const scene = await startViewScene();
    const type = { plural: 'nodelifecycles' } as ResourceType;
    const reader = { api: without(scene.api, [type], 'Forbidden'), clock: scene.clock, look };
    expect(await printed(nodesCommand, '', reader)).toEqual({
      code: 1,
      out: '',
      err: 'muster nodes: nodelifecycles.muster.dev: injected Forbidden',
    });
    await scene.stop();
  });
});

describe('no cluster', () => {
  it('is a failure when it cannot be reached', async () => {
    const fail = async () => err(apiFailure('Unreachable', { message: 'connect ECONNREFUSED' }));
    const api = { get: fail, list: fail } as unknown as KubeApi;
    const { code, err: said } = await printed(rulesCommand, '', { api, clock: manualClock(), look });
    expect(code).toBe(1);
    expect(said).toContain('the API server cannot be reached: connect ECONNREFUSED');
  });

  it('is wrong usage when none is configured', async () => {
    const said: string[] = [];
    const code = await runView(rulesCommand, [], {
      clock: manualClock(),
      look,
      print: () => undefined,
      complain: (line) => void said.push(line),
      connect: async () => err([{ path: 'KUBECONFIG', message: 'none of these files exists: a' }]),
    });
    expect([code, said]).toEqual([2, ['muster rules: KUBECONFIG: none of these files exists: a']]);
  });
});

describe('help', () => {
  it('names words, flags, the plugin and exit codes, without a cluster', async () => {
    const scene = await startViewScene({ hasDefinitions: false });
    const { code, out } = await scene.print(explainCommand, '--help');
    expect(code).toBe(0);
    expect(out).toContain('Usage: muster explain rule RULE [flags]');
    expect(out).toContain('-o, --output <text|json>');
    expect(out).toContain('--kubeconfig <file>');
    expect(out).toContain('kubectl muster');
    expect(out).toContain('3 the rule keeps nodes back');
    await scene.stop();
  });
});
