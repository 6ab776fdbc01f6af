import { describe, expect, it } from 'vitest';
import { lifecycleLimits } from './lifecycle-vocabulary.ts';
import { reasonMeanings } from './reasons.ts';

describe.each(Object.entries(reasonMeanings))('the reason %s', (reason, meaning) => {
  it('is one word in camel case that fits a status field', () => {
    expect(reason).toMatch(/^[A-Z][A-Za-z]+$/);
    expect(reason.length).toBeLessThanOrEqual(lifecycleLimits.reasonLengthMax);
  });

  it('is explained by one sentence', () => {
    expect(meaning).toMatch(/^[A-Z][^.]+\.$/);
  });
});
