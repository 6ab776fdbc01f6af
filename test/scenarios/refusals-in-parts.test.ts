import { describe, expect, it } from 'vitest';
import { disruptionPolicyName, disruptionPolicyType } from '../../src/api/keys.ts';
import { centreScene } from '../support/centre-scene.ts';
import { stampCapability } from '../support/stamp-capability.ts';

/** Two capabilities, of which one wants a taint and the other what no server accepts; and what each was told of writes. */
async function refused(wanting: string) {
  const scene = centreScene();
  scene.putNode('a');
  const told: string[] = [];
  const capabilities = ['lesser', 'greater'].map((name, rank) => ({
    ...stampCapability({ name, rank }),
    written({ changes }: { readonly changes: readonly { readonly key: string }[] }) {
      told.push(...changes.map(({ key }) => `${name} ${key}`));
      return [];
    },
  }));
  scene.start({ capabilities });
  await scene.run(60_000);
  const noExecute = { allowedTaintKeys: ['gate'] };
  scene.api.put(disruptionPolicyType, {
    metadata: { name: disruptionPolicyName },
    spec: { authority: 'act', noExecute },
  });
  scene.putStamp('fine', { by: wanting, taints: { 'gate:NoExecute': 'x' } });
  const other = wanting === 'lesser' ? 'greater' : 'lesser';
  scene.putStamp('wrong', { by: other, labels: { team: 'not a label value!' } });
  await scene.run(10_000);
  return { ...scene, told };
}

describe.each(['lesser', 'greater'])(
  'a part of a refused patch that is accepted alone: the %s one',
  (name) => {
    it('is told to whoever wanted it, once', async () => {
      expect((await refused(name)).told).toEqual([`${name} gate:NoExecute`]);
    });

    it('says since when, where it evicts: tolerations count from then', async () => {
      const scene = await refused(name);
      expect(scene.taints('a')).toMatchObject([{ key: 'gate', timeAdded: expect.stringMatching(/Z$/) }]);
    });
  },
);
