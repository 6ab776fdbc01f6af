import { describe, expect, it } from 'vitest';
import { lifecycleView, stateOf } from '../../test/support/lifecycle-builder.ts';
import { type NodeSketch, nodeView } from '../../test/support/node-builder.ts';
import { labelWish, present, taintWish } from '../../test/support/wish-builder.ts';
import type { NodeLifecycleStatus } from '../api/node-lifecycle.ts';
import { nextLifecycle, type VerificationRecord } from '../fleet/lifecycle.ts';
import type { MergedKeyWish } from '../objects/wish.ts';
import { type Pass, type PassFacts, planPass } from './pass.ts';

const now = Date.UTC(2026, 0, 1);
const byObject = labelWish('object', present());
const byRecord = labelWish('record', present('ours', { proof: 'record' }));
const gate = taintWish('gate:NoSchedule', present());

const shownJustNow = { movedMs: 2000, wordsMs: 3000 };

type Given = {
  readonly node?: NodeSketch;
  /** Undefined: there is none yet. */
  readonly status?: NodeLifecycleStatus;
  readonly wishes?: readonly MergedKeyWish[];
} & Partial<Pick<PassFacts, 'lifecycle' | 'displayWait' | 'isSettled' | 'isRecordAwaited' | 'verification'>>;

function pass({ node: sketch = {}, status, wishes = [], ...rest }: Given): Pass {
  const node = nodeView(sketch);
  return planPass({
    node,
    lifecycle: status === undefined ? undefined : lifecycleView(status),
    state: stateOf(node),
    merged: { keys: wishes, conflicts: [] },
    isSettled: true,
    isRecordAwaited: false,
    displayWait: { movedMs: 0, wordsMs: 0 },
    now,
    ...rest,
  });
}

/** The status that says of this node, under these wishes, all there is to say. */
function settledStatus({ node: sketch = {}, wishes = [] }: Pick<Given, 'node' | 'wishes'> = {}) {
  const node = nodeView(sketch);
  const facts = { node, state: stateOf(node), wishes, isSettled: true, previous: {}, now };
  return nextLifecycle(facts).status;
}

const words = ({ steps }: Pass) =>
  steps.map((step) => (step.kind === 'WriteLifecycle' ? `${step.kind} ${step.cause}` : step.kind));
const patched = ({ steps }: Pass) => steps.flatMap((step) => (step.kind === 'PatchNode' ? step.causes : []));

type State = VerificationRecord['state'];
const attempt = (before: State, after: State) =>
  pass({
    status: { ...settledStatus(), verification: { state: before, attempt: 1 } },
    verification: { state: after, attempt: 1 },
  });

describe('a record', () => {
  const owner = { wishes: [byObject] };
  const proof = { wishes: [byRecord] };

  it.each([
    ['a birth that a wish waits for', pass(proof), true],
    ['a birth that a capability waits for', pass({ isRecordAwaited: true }), true],
    ['a birth that only tells', pass(owner), false],
    ['the proof of a patch', pass({ ...proof, status: settledStatus() }), true],
    ['what is shown', pass({ status: {} }), false],
    ['an attempt that ends', attempt('in_progress', 'verified'), true],
    ['a worker that runs by now', attempt('pending', 'in_progress'), false],
  ] as const)('is awaited or not: %s', (_, { isAwaited }, expected) => {
    expect(isAwaited).toBe(expected);
  });
});

describe('a node without a record', () => {
  it('gets one', () => {
    expect(words(pass({}))).toEqual(['CreateLifecycle']);
  });

  it('is patched first where an owner object is proof enough', () => {
    expect(words(pass({ wishes: [byObject] }))).toEqual(['PatchNode', 'CreateLifecycle']);
  });

  it('is not patched where the record is the only proof', () => {
    expect(words(pass({ wishes: [byRecord] }))).toEqual(['CreateLifecycle']);
  });

  it('is gated at once, though another wish has to wait for the record', () => {
    const result = pass({ wishes: [byRecord, gate] });
    expect(words(result)).toEqual(['PatchNode', 'CreateLifecycle']);
    expect(patched(result)).toEqual(['stamp: taints gate:NoSchedule present']);
  });
});

describe('the record of an earlier node of the same name', () => {
  const result = pass({ lifecycle: lifecycleView({ stage: 'InService' }, 'earlier'), wishes: [byObject] });

  it('is deleted before anything else is done', () => {
    expect(words(result)).toEqual(['DeleteLifecycle']);
  });

  it('is spoken of', () => {
    expect(result.event?.reason).toBe('NodeRecreated');
  });
});

describe('a node with a record', () => {
  it('that is as it should be needs nothing', () => {
    expect(pass({ status: settledStatus() })).toMatchObject({ steps: [], displayInMs: null, event: null });
  });

  it('gets its first status whole', () => {
    expect(words(pass({ status: {} }))).toEqual(['WriteLifecycle record']);
  });

  it('is patched alone where an owner object is proof enough, and shown as it is then in the next pass', () => {
    expect(words(pass({ status: settledStatus(), wishes: [gate] }))).toEqual(['PatchNode']);
  });

  it('has the proof written before the patch', () => {
    const result = pass({ status: settledStatus(), wishes: [byRecord] });
    expect(words(result)).toEqual(['WriteLifecycle record', 'PatchNode']);
  });

  it('is patched at once when the proof is there', () => {
    const status = settledStatus({ wishes: [byRecord] });
    expect(words(pass({ status, wishes: [byRecord] }))).toEqual(['PatchNode']);
  });

  it('has its first release written at once, though display has to wait', () => {
    const { firstReleasedAt, ...gated } = settledStatus();
    expect(firstReleasedAt).toBe('2026-01-01T00:00:00Z');
    expect(words(pass({ status: gated, displayWait: shownJustNow }))).toEqual(['WriteLifecycle record']);
  });

  it('is not released while somebody has not spoken yet', () => {
    const { firstReleasedAt, ...gated } = settledStatus();
    expect(words(pass({ status: gated, isSettled: false }))).toEqual([]);
  });

  it('has a reboot written at once', () => {
    const result = pass({ node: { bootID: 'boot-2' }, status: settledStatus(), displayWait: shownJustNow });
    expect(words(result)).toEqual(['WriteLifecycle record']);
  });
});

describe('what is merely shown', () => {
  const cordoned = { isCordoned: true };

  it('is written when its time has come, and a change of stage is spoken of', () => {
    const result = pass({ node: cordoned, status: settledStatus() });
    expect(words(result)).toEqual(['WriteLifecycle display']);
    expect(result.event).toMatchObject({ reason: 'StageChanged', note: 'InService -> Gated: Cordoned' });
  });

  it('shows at once that a node is in service for the first time, however recently it was shown', () => {
    const { inServiceAt: _never, ...gated } = { ...settledStatus(), stage: 'Gated' as const };
    expect(words(pass({ status: gated, displayWait: shownJustNow }))).toEqual(['WriteLifecycle display']);
  });

  it('waits when it was written a moment ago, and nothing is said of it yet', () => {
    const result = pass({ node: cordoned, status: settledStatus(), displayWait: shownJustNow });
    expect(result).toMatchObject({ steps: [], displayInMs: 2000, event: null });
  });

  describe('soon after a record, but not after another display', () => {
    const displayWait = { movedMs: 0, wordsMs: 3000 };

    it('is written where the stage is another', () => {
      const result = pass({ node: cordoned, status: settledStatus(), displayWait });
      expect(words(result)).toEqual(['WriteLifecycle display']);
    });

    it('is written where there is another gate', () => {
      const status = { ...settledStatus(), gateSummary: 'cni-not-ready' };
      expect(words(pass({ status, displayWait }))).toEqual(['WriteLifecycle display']);
    });

    it('waits where it is the same in other words', () => {
      const status = { ...settledStatus(), stageMessage: 'in other words' };
      expect(pass({ status, displayWait })).toMatchObject({ steps: [], displayInMs: 3000 });
    });
  });

  it('does not make the first stage an event', () => {
    expect(pass({ status: {} }).event).toBeNull();
  });
});
