import { describe, expect, it } from 'vitest';
import { seededRandom } from '../base/random.ts';
import { nextStage } from './choose-stage.ts';
import type { PodStage, StageMatch } from './stage.ts';

const anything: StageMatch = { labels: [], annotations: {}, fields: {}, isRunnable: null };

function stage(
  name: string,
  { match = {}, ...changes }: Partial<Omit<PodStage, 'match'>> & { match?: Partial<StageMatch> } = {},
): PodStage {
  return {
    name,
    about: name,
    of: 'Pod',
    from: ['Bound'],
    trigger: { kind: 'delay', delay: { forMs: 0, jitterMs: 0 } },
    priority: 0,
    weight: 1,
    effect: { phase: 'Running', start: 'script', waiting: null, exit: null, evict: null },
    ...changes,
    match: { ...anything, ...match },
  };
}

const subject = {
  phase: 'Bound',
  object: {
    metadata: { labels: { app: 'a' }, annotations: { told: 'pass' } },
    spec: { restartPolicy: 'Never', n: 3 },
  },
  isRunnable: true,
};
const chosen = (stages: readonly PodStage[], random = seededRandom(1)) =>
  nextStage(stages, subject, random)?.name;

describe('the stage that comes next', () => {
  it.each([
    ['phase', stage('a', { from: ['Running'] })],
    ['labels', stage('a', { match: { labels: [{ kind: 'exists', key: 'other' }] } })],
    ['annotations', stage('a', { match: { annotations: { told: 'fail' } } })],
    ['a missing annotation', stage('a', { match: { annotations: { other: '*' } } })],
    ['fields', stage('a', { match: { fields: { 'spec.restartPolicy': 'Always' } } })],
    ['images', stage('a', { match: { isRunnable: false } })],
    ['its moment', stage('a', { trigger: { kind: 'byHand' } })],
  ])('is none that does not fit by %s', (_sentence, only) => expect(chosen([only])).toBeUndefined());

  it('is one that fits in everything', () => {
    const match = {
      annotations: { told: '*' },
      fields: { 'spec.restartPolicy': 'Never', 'spec.n': '3' },
      isRunnable: true,
    };
    expect(chosen([stage('a', { match })])).toBe('a');
  });

  it('is the one of the highest priority', () => {
    expect(chosen([stage('a'), stage('b', { priority: 2 }), stage('c', { priority: 1 })])).toBe('b');
  });

  it('is drawn by weight among equals', () => {
    const random = seededRandom(3);
    const drawn = Array.from({ length: 1000 }, () => chosen([stage('a', { weight: 9 }), stage('b')], random));
    const share = drawn.filter((name) => name === 'b').length;
    expect(share).toBeGreaterThan(60);
    expect(share).toBeLessThan(150);
  });
});
