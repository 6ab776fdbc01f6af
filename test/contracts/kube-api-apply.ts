// What every KubeApi promises about server-side apply: that it works, or that it is refused with a sentence.
import { describe, expect, it } from 'vitest';
import { type Bench, bodyOf, configMapType, failureOf, valueOf } from './kube-api-bench.ts';

export function describeApply({ api, refOf }: Bench): void {
  describe('applying', () => {
    it('applies: makes the object, owns its fields and takes back what it no longer says', async () => {
      const ref = refOf(configMapType);
      const apply = (data: object) => api().patch(ref, { kind: 'apply', body: bodyOf(ref, { data }) });
      expect(valueOf(await apply({ a: '1', b: '2' }))).toMatchObject({ data: { a: '1', b: '2' } });
      expect(valueOf(await apply({ b: '3' }))['data']).toEqual({ b: '3' });
    });
  });
}

export function describeNoApply({ api, refOf }: Bench): void {
  describe('applying', () => {
    it('is refused with a sentence', async () => {
      const ref = refOf(configMapType);
      const failure = failureOf(await api().patch(ref, { kind: 'apply', body: bodyOf(ref) }));
      expect(failure).toMatchObject({ code: 501, message: expect.stringContaining('apply') });
    });
  });
}
