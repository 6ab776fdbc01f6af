import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Pulse } from './pulse.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
afterEach(() => void vi.useRealTimers());

describe('the pulse of a machine', () => {
  it('beats four times a second until it is stopped, and says what a beat took', () => {
    const pulse = new Pulse();
    expect(pulse.msBetween(0, 9)).toBeNull();
    pulse.start();
    vi.advanceTimersByTime(1_000);
    pulse.stop();
    vi.advanceTimersByTime(1_000);
    expect(pulse.count).toBe(4);
    expect(pulse.msBetween(0, 4)).toBeGreaterThan(0);
    expect(pulse.msBetween(4, 9)).toBeNull();
  });
});
