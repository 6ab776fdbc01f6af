import { describe, expect, it } from 'vitest';
import type { EvaluationView } from './evaluation.ts';
import { hashedName } from './evaluation.ts';
import { evaluationPacking } from './evaluation-packing.ts';

const pair = { front: 'NodeReadinessRule', ruleName: 'cni', nodeName: 'worker-1' } as const;
const view: EvaluationView = {
  ...pair,
  name: 'cni-worker-1',
  namespace: '',
  uid: '5f6c0f0e-0a44-4a52-9d6f-5f0b86f3a1c2',
  resourceVersion: '12345',
  specHash: '0123456789abcdef',
  statusHash: 'fedcba9876543210',
  isTracked: true,
};

describe('a packed evaluation', () => {
  it.each<[string, Partial<EvaluationView>]>([
    ['named after its rule and node', {}],
    ['of the other kind of rules, and wiped', { front: 'NodeReadinessGateRule', isTracked: false }],
    ['of nobody', { front: null }],
    ['named by a hash', { name: hashedName(pair) }],
    ['of somebody who names no rule and no node', { name: 'stray', ruleName: '', nodeName: '' }],
    ['of somebody who puts blanks and numbers into names', { name: '7', ruleName: '1 2', nodeName: ' "{' }],
    ['without a name', { name: '-', ruleName: '', nodeName: '' }],
    ['before it has a status', { statusHash: '' }],
  ])('%s is what it was', (_, change) => {
    const before = { ...view, ...change };
    expect(evaluationPacking.unpack(before.name, evaluationPacking.pack(before))).toEqual(before);
  });
});
