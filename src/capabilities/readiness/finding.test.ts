import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Finding, findingOf, marks, packFinding } from './finding.ts';

const findings: fc.Arbitrary<Finding> = fc.record({
  generation: fc.nat(),
  conditions: fc.array(
    fc.record({
      current: fc.constantFrom<'True' | 'False' | 'Unknown'>('True', 'False', 'Unknown'),
      mark: fc.constantFrom(...marks),
    }),
    { maxLength: 32 },
  ),
  readiness: fc.constantFrom<Finding['readiness']>('ready', 'notReady', 'unknown'),
  hasTaint: fc.boolean(),
  isPending: fc.boolean(),
  isBootstrapped: fc.boolean(),
  would: fc.constantFrom<Finding['would']>('add', 'remove', 'nothing'),
});

const verdict = {
  capability: 'readiness',
  parent: 'p',
  outcome: 'unknown',
  reason: 'r',
  message: '',
} as const;

describe('a finding', () => {
  it('is read back as it was packed', () => {
    fc.assert(
      fc.property(findings, (finding) => {
        expect(findingOf({ ...verdict, detail: packFinding(finding) })).toEqual(finding);
      }),
    );
  });

  it('is not found in a verdict that carries none', () => expect(findingOf(verdict)).toBeNull());
});
