// Wishes for tests, in the words of a capability: what shall be present, what shall go, and on what ground.

import type { KeyWish, MergedKeyWish } from '../../src/objects/wish.ts';

export type PresentSketch = Partial<Omit<Extract<KeyWish, { kind: 'present' }>, 'kind'>>;

export function present(value = 'ours', given: PresentSketch = {}): KeyWish {
  return { kind: 'present', owner: 'stamp', value, prior: 'restore', proof: 'object', ...given };
}

export function absent(basis: 'named' | 'recorded' = 'recorded', owner = 'stamp'): KeyWish {
  return { kind: 'absent', owner, basis };
}

export function labelWish(key: string, wish: KeyWish, capability = 'stamp'): MergedKeyWish {
  return { kind: 'labels', key, capability, wish };
}

export function annotationWish(key: string, wish: KeyWish, capability = 'stamp'): MergedKeyWish {
  return { kind: 'annotations', key, capability, wish };
}

export function taintWish(key: string, wish: KeyWish, capability = 'stamp'): MergedKeyWish {
  return { kind: 'taints', key, capability, wish };
}
