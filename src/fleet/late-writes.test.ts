import { describe, expect, it } from 'vitest';
import { life, lifecycleFacts } from '../../test/support/builders.ts';
import { nodeView } from '../../test/support/node-builder.ts';
import { labelWish, present, taintWish } from '../../test/support/wish-builder.ts';
import { type LifecycleFacts, nextLifecycle } from './lifecycle.ts';

const wishes = [labelWish('team', present('ours', { proof: 'record' }))];
const at = (resourceVersion: string, labels = {}) => nodeView({ resourceVersion, labels });

/** What the record says of our keys after these passes, and how important its last change is. */
function recorded(...passes: readonly Partial<LifecycleFacts>[]) {
  const { status, changed } = life(...passes);
  return { keys: (status.owned ?? []).map(({ key }) => key), asOf: status.ownedAsOf, changed };
}

describe('a key that is about to be written', () => {
  it('is recorded with the version of the node that the write is guarded by', () => {
    expect(recorded({ node: at('10'), wishes })).toEqual({ keys: ['team'], asOf: '10', changed: 'record' });
  });

  it('is recorded again before it is written to another version of the node', () => {
    const passes = [
      { node: at('10'), wishes },
      { node: at('11'), wishes },
    ];
    expect(recorded(...passes)).toEqual({ keys: ['team'], asOf: '11', changed: 'record' });
  });

  it.each(['10', '9'])(
    'stays recorded though nobody wants it any more, while the node is at version %s',
    (version) => {
      const passes = [{ node: at('10'), wishes }, { node: at(version) }];
      expect(recorded(...passes).keys).toEqual(['team']);
    },
  );

  it('leaves the record when the node has a newer version, on which the write would be refused', () => {
    expect(recorded({ node: at('10'), wishes }, { node: at('11') })).toMatchObject({
      keys: [],
      asOf: undefined,
    });
  });

  it('is recorded once when it stands', () => {
    const passes = [
      { node: at('10'), wishes },
      { node: at('11', { team: 'ours' }), wishes },
    ];
    expect(recorded(...passes)).toMatchObject({ keys: ['team'], asOf: '10' });
    const { status } = life(...passes);
    const next = nextLifecycle(
      lifecycleFacts({ node: at('12', { team: 'ours' }), wishes, previous: status }),
    );
    expect(next.changed).not.toBe('record');
  });
});

describe('a gate that may still arrive', () => {
  const gating = [taintWish('example.com/gate:NoSchedule', present('', { proof: 'record' }))];
  const passes = [
    { node: at('10'), wishes: gating, isSettled: true },
    { node: at('10'), isSettled: true },
  ];

  it('stays recorded, and does not keep the node from having been in service', () => {
    expect(recorded(...passes).keys).toEqual(['example.com/gate']);
    expect(life(...passes).status.firstReleasedAt).toBeDefined();
  });

  it('keeps it from that while it is wished for', () => {
    expect(life({ node: at('10'), wishes: gating, isSettled: true }).status.firstReleasedAt).toBeUndefined();
  });
});
