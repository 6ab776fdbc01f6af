import { describe, expect, it } from 'vitest';
import { updatePhases } from '../api/lifecycle-vocabulary.ts';
import { isExpectedStep, isUnderWay } from './update-phase.ts';

describe('the phases of an update', () => {
  // The diagram, and beside it what it leaves out: pausing before the start, resuming, and the next update.
  const steps = {
    Pending: ['Draining', 'Paused'],
    Draining: ['Updating', 'Paused'],
    Updating: ['Rebooting'],
    Rebooting: ['Completed', 'Paused'],
    Paused: ['Pending', 'Draining', 'Updating', 'Rebooting'],
    Completed: ['Pending'],
  };

  it.each(updatePhases)('from %s, lead on as the diagram shows', (from) => {
    const expected = updatePhases.filter((to) => to !== from && isExpectedStep(from, to));
    expect(expected.toSorted()).toEqual(steps[from].toSorted());
  });

  it.each(updatePhases)('may stay at %s', (phase) => {
    expect(isExpectedStep(phase, phase)).toBe(true);
  });

  it('change the node in three of them', () => {
    expect(updatePhases.filter(isUnderWay)).toEqual(['Draining', 'Updating', 'Rebooting']);
  });
});
