// Runs the whole suite on one target. Cases run at the same time and share a namespace and two custom resources, never a
// name; what a case leaves is taken away after it, and the last topics run alone because they disturb the server.

import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { collectionsIn, createBench, type Ground } from './bench.ts';
import { type Case, needsOf, runOf, type Topic } from './case.ts';
import { installDefinitions, removeDefinitions } from './definitions.ts';
import type { RunningTarget, TargetSource } from './target.ts';
import { topics } from './topics.ts';

export function describeConformance(source: TargetSource): void {
  describe(`conformance of ${source.name}`, () => {
    let target: RunningTarget;
    let ground: Ground;

    beforeAll(async () => {
      target = await source.start();
      ground = { target, namespace: `conformance-${randomBytes(3).toString('hex')}` };
      const namespace = { metadata: { name: ground.namespace } };
      const made = await target.request('POST', '/api/v1/namespaces', { body: namespace });
      expect(made, made.text).toMatchObject({ status: 201 });
      await installDefinitions(target);
    });

    afterAll(async () => {
      process.stderr.write(summaryOf(source));
      if (target === undefined) return;
      await removeDefinitions(target);
      await target.request('DELETE', `/api/v1/namespaces/${ground.namespace}`);
      await target.stop();
    });

    const run = async (theCase: Case): Promise<void> => {
      const { bench, cleanUp } = createBench(ground);
      try {
        await runOf(theCase)(bench);
      } finally {
        await cleanUp();
      }
    };
    const describeTopic = (topic: Topic) =>
      describe(topic.name, () => {
        for (const [sentence, theCase] of Object.entries(topic.cases)) {
          const lacks = missing(source, topic, theCase);
          it(sentence, (context) => {
            if (lacks.length > 0) context.skip(`${source.name} has no ${lacks.join(', ')}`);
            return run(theCase);
          });
        }
      });

    describe.concurrent('together', () => topics.filter(({ isLast }) => !isLast).forEach(describeTopic));
    describe('alone', () => topics.filter(({ isLast }) => isLast === true).forEach(describeTopic));

    it('leaves nothing behind', async () => {
      const { nodes, gadgets, configmaps, leases, widgets } = collectionsIn(ground.namespace);
      for (const path of [nodes, gadgets, configmaps, leases, widgets]) {
        const { body } = await target.request('GET', path);
        const names = (body.items ?? []).map(({ metadata }) => metadata?.name);
        expect(names.filter((name) => name !== 'kube-root-ca.crt')).toEqual([]);
      }
    });
  });
}

function missing(source: TargetSource, topic: Topic, theCase: Case): readonly string[] {
  return needsOf(topic, theCase).filter((feature) => !source.has.has(feature));
}

function summaryOf(source: TargetSource): string {
  const all = topics.flatMap((topic) =>
    Object.entries(topic.cases).map(([sentence, theCase]) => ({
      line: `${topic.name}: ${sentence}`,
      lacks: missing(source, topic, theCase),
    })),
  );
  const skipped = all.filter(({ lacks }) => lacks.length > 0);
  const perTopic = topics.map(({ name, cases }) => `${name} ${Object.keys(cases).length}`);
  return [
    `conformance of ${source.name}: ${all.length} cases, ${skipped.length} skipped (${perTopic.join(', ')})`,
    ...skipped.map(({ line, lacks }) => `skipped ${line} (no ${lacks.join(', ')})`),
    '',
  ].join('\n');
}
