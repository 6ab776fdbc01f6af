// Runs the whole suite on one target. Cases run at the same time and share a namespace and two custom resources, never a
// name; what a case leaves is taken away after it, and the last topics run alone because they disturb the server. A case on the
// target's list of accepted differences must fail: a list that claims too much is as wrong as one that claims too little.

import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { collectionsIn, createBench, type Ground } from './bench.ts';
import type { Case, Topic } from './case.ts';
import { installDefinitions, removeDefinitions } from './definitions.ts';
import type { Difference, RunningTarget, TargetSource } from './target.ts';
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
        await theCase(bench);
      } finally {
        await cleanUp();
      }
    };
    const describeTopic = (topic: Topic) =>
      describe(topic.name, () => {
        for (const [sentence, theCase] of Object.entries(topic.cases)) {
          const difference = differenceAt(source, topic.name, sentence);
          it(sentence, (context) => {
            if (isBeyond(source, topic)) context.skip(`this run has no ${topic.needs}`);
            return difference === undefined ? run(theCase) : stillDiffers(run(theCase), difference);
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

    it('accepts no difference about a case that does not exist', () => {
      const cases = new Set(topics.flatMap(sentencesOf));
      expect(source.accepted.map(lineOf).filter((line) => !cases.has(line))).toEqual([]);
    });
  });
}

async function stillDiffers(running: Promise<void>, { reason }: Difference): Promise<void> {
  const isSame = await running.then(
    () => true,
    () => false,
  );
  expect(isSame, `the case holds, so take it off the list of accepted differences (${reason})`).toBe(false);
}

function differenceAt(source: TargetSource, topic: string, sentence: string): Difference | undefined {
  return source.accepted.find((each) => each.topic === topic && each.sentence === sentence);
}

function isBeyond({ has }: TargetSource, { needs }: Topic): boolean {
  return needs !== undefined && !has.has(needs);
}

function sentencesOf({ name, cases }: Topic): readonly string[] {
  return Object.keys(cases).map((sentence) => lineOf({ topic: name, sentence }));
}

function lineOf({ topic, sentence }: Pick<Difference, 'topic' | 'sentence'>): string {
  return `${topic}: ${sentence}`;
}

function summaryOf(source: TargetSource): string {
  const count = (some: readonly Topic[]) => some.flatMap(sentencesOf).length;
  const beyond = topics.filter((topic) => isBeyond(source, topic));
  const seen = source.accepted.filter(({ topic }) => !beyond.some(({ name }) => name === topic));
  const perTopic = topics.map((topic) => `${topic.name} ${count([topic])}`);
  return [
    `conformance of ${source.name}: ${count(topics)} cases, ${count(beyond)} skipped, ${seen.length} accepted differences (${perTopic.join(', ')})`,
    ...beyond.map(
      (topic) => `skipped ${topic.name}: ${count([topic])} cases (this run has no ${topic.needs})`,
    ),
    ...seen.map((difference) => `accepted ${lineOf(difference)} (${difference.reason})`),
    '',
  ].join('\n');
}
