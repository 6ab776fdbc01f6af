import { noSharing } from '../base/intern.ts';
import { describe, expect, it } from 'vitest';
import {
  life,
  lifecycleFacts,
  minutes,
  nodeState,
  noon,
  noonText,
  verdict,
} from '../../test/support/builders.ts';
import { nodeView } from '../../test/support/node-builder.ts';
import { labelWish, present, taintWish } from '../../test/support/wish-builder.ts';
import { leavingTaintKeys } from '../api/keys.ts';
import type { NodeLifecycleStatus } from '../api/node-lifecycle.ts';
import { lacksProof, type LifecycleFacts, nextLifecycle, projectLifecycle, statusOf } from './lifecycle.ts';

const next = (changes: Partial<LifecycleFacts> = {}) => nextLifecycle(lifecycleFacts(changes));
const later = noon + minutes(5);
const laterText = '2026-01-01T12:05:00Z';

const gateTaint = { key: 'example.com/cni', effect: 'NoSchedule', value: 'ours' };
const gateWish = taintWish('example.com/cni:NoSchedule', present());
const unready = nodeView({ ready: 'False' });

describe('the first status of a node', () => {
  it('is a record', () => {
    expect(next().changed).toBe('record');
  });

  it('says everything that is known of an ordinary node', () => {
    expect(next().status).toEqual({
      bootID: 'boot-1',
      firstReleasedAt: noonText,
      stage: 'InService',
      stageSince: noonText,
      stageReason: 'NoOpenGate',
      stageMessage: '',
      pool: 'workers',
      gates: [],
      gateCount: 0,
      gateSummary: '-',
      inServiceAt: noonText,
      update: { phase: 'Completed', version: 'v1.36.3' },
      timeline: [{ at: noonText, stage: 'InService', reason: 'NoOpenGate' }],
    });
  });

  it('has nothing that is not known', () => {
    const status = next({ node: { ...unready, bootID: '' }, isSettled: false }).status;
    expect(Object.keys(status)).not.toEqual(
      expect.arrayContaining([
        'bootID',
        'firstReleasedAt',
        'inServiceAt',
        'owned',
        'leaving',
        'verification',
      ]),
    );
  });
});

describe('a status computed again from itself', () => {
  const busy: Partial<LifecycleFacts> = {
    node: nodeView({ taints: [gateTaint, { key: 'a', effect: 'NoExecute' }], isCordoned: true }),
    state: nodeState({
      verdicts: [verdict({ parent: 'stamp' })],
      phase: 'Paused',
      message: 'pool is paused',
    }),
    wishes: [gateWish, labelWish('team', present('x', { proof: 'record' }))],
  };

  it.each<[string, Partial<LifecycleFacts>]>([
    ['of an ordinary node', {}],
    ['of a node behind gates', busy],
    [
      'of a node that leaves',
      { node: nodeView({ taints: [{ key: leavingTaintKeys.karpenter, effect: 'NoSchedule' }] }) },
    ],
    ['of a node that says nothing', { node: { ...unready, bootID: '', conditions: [] } }],
    ['before all capabilities may speak', { isSettled: false }],
  ])('%s changes nothing, whether the clock went on or back', (_, changes) => {
    const previous = next(changes).status;
    for (const now of [later, noon - minutes(60)]) {
      expect(next({ ...changes, previous, now })).toEqual({ status: previous, changed: 'nothing' });
    }
  });
});

describe('a change of the record', () => {
  it('is a reboot, which is an entry of its own', () => {
    const { status, changed } = life({}, { node: nodeView({ bootID: 'boot-2' }) });
    expect(changed).toBe('record');
    expect(status.bootID).toBe('boot-2');
    expect(status.timeline).toEqual([
      { at: laterText, stage: 'InService', reason: 'Rebooted', message: 'boot boot-2' },
      { at: noonText, stage: 'InService', reason: 'NoOpenGate' },
    ]);
  });

  it('is a reboot also when the kubelet was silent in between', () => {
    const silent = { ...nodeView(), bootID: '' };
    expect(life({}, { node: silent }).status.bootID).toBe('boot-1');
    const { status } = life({}, { node: silent }, { node: nodeView({ bootID: 'boot-2' }) });
    expect(status.timeline?.map(({ reason }) => reason)).toEqual(['Rebooted', 'NoOpenGate']);
  });

  it('is a reboot before the change of stage that came with it', () => {
    const { status } = life({}, { node: nodeView({ bootID: 'boot-2', ready: 'False' }) });
    expect(status.timeline?.map(({ reason }) => reason)).toEqual([
      'KubeletNotReady',
      'Rebooted',
      'NoOpenGate',
    ]);
  });

  it('is the first release, once every capability may speak and no gate of ours is there or wished for', () => {
    const gated = { node: nodeView({ taints: [gateTaint] }), wishes: [gateWish] };
    expect(life({ isSettled: false }).status.firstReleasedAt).toBeUndefined();
    expect(life({ wishes: [gateWish] }).status.firstReleasedAt).toBeUndefined();
    expect(life(gated).status.firstReleasedAt).toBeUndefined();
    const silent = { ...gated, wishes: [] };
    expect(life(gated, silent).status.firstReleasedAt).toBeUndefined();
    const released = life(gated, silent, {});
    expect(released).toMatchObject({
      changed: 'record',
      status: { firstReleasedAt: '2026-01-01T12:10:00Z' },
    });
  });

  it('is a key of ours that stands on the node and was not listed, and not one that is only wished for', () => {
    expect(life({}, { wishes: [gateWish] }).changed).toBe('display');
    const gated = { node: nodeView({ taints: [gateTaint] }), wishes: [gateWish] };
    expect(life({}, gated).changed).toBe('record');
    expect(life({}, { wishes: [gateWish] }, gated).changed).not.toBe('record');
  });

  it('is never a second release', () => {
    const gated = { node: nodeView({ taints: [gateTaint] }), wishes: [gateWish] };
    expect(life({}, gated, {}).status.firstReleasedAt).toBe(noonText);
  });

  it('is no gate that only advises the scheduler', () => {
    const wishes = [taintWish('example.com/cni:PreferNoSchedule', present())];
    expect(life({ wishes }).status.firstReleasedAt).toBe(noonText);
  });

  it('is a wish whose only proof is this record', () => {
    const wishes = [labelWish('team', present('x', { proof: 'record' }))];
    expect(life({}, { wishes }).changed).toBe('record');
    expect(
      life({}, { wishes }, { wishes: [labelWish('team', present('y', { proof: 'record' }))] }).changed,
    ).toBe('record');
  });

  const labels = (prefix: string, proof: 'object' | 'record') =>
    Array.from({ length: 64 }, (_, index) => labelWish(`${prefix}${index}`, present('x', { proof })));

  it.each([
    ['all of one kind', [...labels('a', 'record'), ...labels('b', 'record')]],
    ['the last of them alone in need of it', [...labels('a', 'object'), labels('b', 'record')[0]!]],
  ])('is not made again for wishes beyond what the record can hold, %s', (_, wishes) => {
    expect(life({ wishes }, { wishes }).changed).toBe('nothing');
    expect(life({ wishes }, { wishes, node: nodeView({ isCordoned: true }) }).changed).toBe('display');
  });

  it('is no release behind a gate, however many other keys are ours', () => {
    const taints = [taintWish('z:NoSchedule', present())];
    const gated = { node: nodeView({ taints: [{ key: 'z', effect: 'NoSchedule' }] }) };
    const { status } = life({ ...gated, wishes: [...labels('a', 'record'), ...taints] });
    expect(status.firstReleasedAt).toBeUndefined();
    expect(status).toMatchObject({ stage: 'Gated', gates: [{ kind: 'Own' }] });
  });

  it('carries a verification along untouched', () => {
    const verification = { state: 'in_progress', attempt: 2 } as const;
    expect(next({ previous: { verification } }).status.verification).toEqual(verification);
  });
});

describe('a record that lacks proof', () => {
  const wish = (proof: 'object' | 'record') => labelWish('team', present('x', { proof }));
  const listed: NodeLifecycleStatus = { owned: [{ kind: 'Label', key: 'team', value: 'x', owner: 'stamp' }] };

  it.each<[string, NodeLifecycleStatus, Parameters<typeof lacksProof>[1], boolean]>([
    ['has nothing of a wish that it alone can prove', {}, [wish('record')], true],
    ['has another value of it', { owned: [{ ...listed.owned![0]!, value: 'y' }] }, [wish('record')], true],
    ['is not one that lists it', listed, [wish('record')], false],
    ['is not one whose wish an owner object proves', {}, [wish('object')], false],
    [
      'is not one for a key that no node can carry',
      {},
      [labelWish('a b', present('x', { proof: 'record' }))],
      false,
    ],
  ])('%s', (_, status, wishes, expected) => {
    expect(lacksProof(status, wishes)).toBe(expected);
  });
});

describe('the view of a NodeLifecycle', () => {
  it('has the UID of its node, its stage and its status', () => {
    const raw = { metadata: { name: 'a' }, spec: { nodeUID: 'uid-1' }, status: next().status };
    const view = projectLifecycle(raw, noSharing);
    expect(view).toMatchObject({ name: 'a', nodeUID: 'uid-1', stage: 'InService' });
    expect(statusOf(view)).toEqual(next().status);
  });

  it.each([
    ['before its first status', '{"spec":{"nodeUID":"u"}}'],
    ['with null as its status', '{"spec":{"nodeUID":"u"},"status":null}'],
    ['with a list as its status', '{"spec":{"nodeUID":"u"},"status":[]}'],
  ])('is empty %s', (_, raw) => {
    const view = projectLifecycle(JSON.parse(raw), noSharing);
    expect([view.stage, statusOf(view)]).toEqual(['', {}]);
  });
});
