// What becomes of resourceVersions and continue tokens that are too old. Disturbs the server, so it runs last.

import { expect } from 'vitest';
import type { Topic } from '../case.ts';
import { continueOf, namesIn, refusal, versionOf } from '../expectations.ts';

export const expiry: Topic = {
  name: 'expired history',
  isLast: true,
  cases: {
    'is 410 for lists, an ERROR event for watches, and a way on for pages': async (bench) => {
      const { at, create, get, target } = bench;
      const labels = { old: bench.name() };
      const path = `${at.configmaps}?labelSelector=old%3D${labels.old}`;
      for (let index = 0; index < 3; index++) await create('configmaps', { metadata: { labels } });
      const page = await get(`${path}&limit=1`);
      await create('configmaps', { metadata: { labels } });
      await target.forgetHistory();

      const expired = await get(`${path}&limit=1&continue=${continueOf(page)}`);
      expect(expired).toMatchObject(refusal(410, 'Expired', 'continue'));
      // The Status carries a token that goes on behind the last page, at the present state.
      const rest = await get(`${path}&continue=${continueOf(expired)}`);
      expect(namesIn(rest)).toHaveLength(3);
      expect(namesIn(rest)).not.toContain(namesIn(page)[0]);

      const exact = await get(`${path}&resourceVersion=${versionOf(page)}&resourceVersionMatch=Exact`);
      expect(exact).toMatchObject(refusal(410, 'Expired'));
      expect((await get(`${path}&resourceVersion=${versionOf(page)}`)).body.items).toHaveLength(4);

      const watching = await bench.watch(at.configmaps, `resourceVersion=${versionOf(page)}`);
      expect(watching.status).toBe(200);
      const event = await watching.until(() => true);
      expect(event).toMatchObject({
        type: 'ERROR',
        object: { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'Expired', code: 410 },
      });
      await watching.ended;
      expect(watching.events).toHaveLength(1);
    },
    'leaves what is stored as it was': async ({ create, get, target }) => {
      const { path, object } = await create('widgets', { spec: { colour: 'red' } });
      await target.forgetHistory();
      expect(await get(path)).toMatchObject({
        status: 200,
        body: { metadata: { uid: object.metadata?.uid } },
      });
    },
  },
};
