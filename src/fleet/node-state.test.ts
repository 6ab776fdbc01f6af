import { describe, expect, it } from 'vitest';
import { conclusion, verdict } from '../../test/support/builders.ts';
import { updatePhases } from '../api/lifecycle-vocabulary.ts';
import type { Condition } from '../objects/condition.ts';
import { hashNodeState, type NodeConclusion, scopes, validateNodeState } from './node-state.ts';

const ready: Condition = {
  type: 'Available',
  status: 'True',
  reason: 'AsExpected',
  message: '',
  lastTransitionTime: '2026-01-01T00:00:00Z',
};

describe('the hash of a state', () => {
  const base = conclusion({ conditions: [ready], verdicts: [verdict()] });

  it.each<[string, Partial<NodeConclusion>]>([
    ['the name', { name: 'b' }],
    ['the UID', { uid: 'uid-2' }],
    ['the pool', { poolRef: { kind: 'Label', name: 'b' } }],
    ['the kind of pool', { poolRef: { kind: 'Selector', name: 'workers' } }],
    ['the scope', { scope: 'ControlPlane' }],
    ['the version', { version: 'v1.36.4' }],
    ['the desired version', { desiredVersion: 'v1.36.4' }],
    ['the config', { currentConfig: 'b' }],
    ['the desired config', { desiredConfig: 'b' }],
    ['the phase', { phase: 'Draining' }],
    ['the message', { message: 'b' }],
    ['a condition less', { conditions: [] }],
    ['a condition of another status', { conditions: [{ ...ready, status: 'False' }] }],
    ['a condition of another reason', { conditions: [{ ...ready, reason: 'b' }] }],
    ['a condition in other words', { conditions: [{ ...ready, message: 'b' }] }],
    ['a verdict less', { verdicts: [] }],
    ['a verdict of another outcome', { verdicts: [verdict({ outcome: 'unknown' })] }],
    ['a verdict of another reason', { verdicts: [verdict({ reason: 'b' })] }],
    ['a verdict in other words', { verdicts: [verdict({ message: 'b' })] }],
    ['a verdict that holds the node', { verdicts: [verdict({ holdsIn: 'Verifying' })] }],
    ['a verdict of another capability', { verdicts: [verdict({ capability: 'b' })] }],
    ['a verdict for another parent', { verdicts: [verdict({ parent: 'b' })] }],
  ])('differs by %s', (_, changes) => {
    expect(hashNodeState({ ...base, ...changes })).not.toBe(hashNodeState(base));
  });

  it('is the same when only the time of a condition differs', () => {
    const later = { ...ready, lastTransitionTime: '2026-01-02T00:00:00Z' };
    expect(hashNodeState({ ...base, conditions: [later] })).toBe(hashNodeState(base));
  });

  it('is the same for equal states', () => {
    expect(hashNodeState(structuredClone(base))).toBe(hashNodeState(base));
  });
});

describe('a state', () => {
  const problemsOf = (changes: Partial<NodeConclusion>) =>
    validateNodeState(conclusion(changes), (pool) => pool === 'workers').map(({ path }) => path);

  it.each<[string, Partial<NodeConclusion>]>([
    ['of an ordinary node', {}],
    ['without a version', { version: '' }],
    ['with a version of OpenShift', { version: '4.16.0-rc.1' }],
    ['with a version that names a build', { version: 'v1.36.3+k3s1' }],
    ...scopes.map((scope): [string, Partial<NodeConclusion>] => [`of the scope ${scope}`, { scope }]),
    ...updatePhases.map((phase): [string, Partial<NodeConclusion>] => [`in the phase ${phase}`, { phase }]),
  ])('%s has no problem', (_, changes) => {
    expect(problemsOf(changes)).toEqual([]);
  });

  it.each<[string, Partial<NodeConclusion>, string]>([
    ['without a name', { name: '' }, 'name'],
    ['of a pool that is not known', { poolRef: { kind: 'Label', name: 'b' } }, 'poolRef.name'],
    ['of a scope that does not exist', { scope: 'Cluster' as 'WorkerPool' }, 'scope'],
    ['in a phase that does not exist', { phase: 'Lost' as 'Paused' }, 'phase'],
    ['with a version of two parts', { version: '1.36' }, 'version'],
    ['with a version that is a word', { version: 'latest' }, 'version'],
  ])('%s has one problem', (_, changes, path) => {
    expect(problemsOf(changes)).toEqual([path]);
  });

  it('tells all of its problems', () => {
    expect(problemsOf({ name: '', version: 'x', poolRef: { kind: '', name: '' } })).toEqual([
      'name',
      'poolRef.name',
      'version',
    ]);
  });
});
