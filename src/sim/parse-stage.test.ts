import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { load } from 'js-yaml';
import { describe, expect, it } from 'vitest';
import { formatProblem } from '../base/result.ts';
import { parseStage } from './parse-stage.ts';

const folder = path.join(import.meta.dirname, 'stages');
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('.yaml'),
);

function problemsOf(raw: unknown): readonly string[] {
  const stage = parseStage(raw);
  return stage.kind === 'error' ? stage.error.map(formatProblem) : [];
}

const good = {
  stage: 'node-naps',
  about: 'A node sleeps.',
  of: 'Node',
  from: ['Ready', 'Starting'],
  selector: { matchLabels: { pool: 'a' } },
  delay: { for: '2s', jitter: '500ms' },
  next: { phase: 'Silent', kubelet: 'stop' },
};

describe('a stage file', () => {
  it.each(files)('%s is a stage named as its file', (file) => {
    const stage = parseStage(load(readFileSync(path.join(folder, file), 'utf8')));
    expect(stage).toMatchObject({ kind: 'ok', value: { name: path.basename(file, '.yaml') } });
  });

  it('is read whole', () => {
    expect(parseStage(good)).toEqual({
      kind: 'ok',
      value: {
        name: 'node-naps',
        about: 'A node sleeps.',
        of: 'Node',
        from: ['Ready', 'Starting'],
        match: {
          labels: [{ kind: 'in', key: 'pool', values: ['a'] }],
          annotations: {},
          fields: {},
          isRunnable: null,
        },
        trigger: { kind: 'delay', delay: { forMs: 2000, jitterMs: 500 } },
        priority: 0,
        weight: 1,
        effect: { phase: 'Silent', object: null, kubelet: 'stop', conditions: [] },
      },
    });
  });

  it('is refused with every problem and its path at once', () => {
    const bad = {
      stage: 'Node Naps',
      colour: 'red',
      of: 'Node',
      from: ['Ready', 'Asleep'],
      selector: { matchLabels: { 'bad key': 'a' } },
      annotations: { a: 1 },
      delay: 'soon',
      weight: 0,
      next: { phase: 'Silent', kubelet: 'nap', conditions: [{ type: 'Ready', status: 'Maybe' }], evict: {} },
    };
    expect(problemsOf(bad)).toEqual([
      expect.stringMatching(/^colour: is not a known field; known are stage, about, of, from, /),
      'stage: must be lower-case words with dashes between them, not "Node Naps"',
      'about: is missing',
      expect.stringMatching(/^selector\.matchLabels\[bad key\]: /),
      'annotations[a]: must be text, not 1',
      'delay: must be a duration such as 500ms or 2s, not "soon"',
      'weight: must be a whole number from 1 to 1000, not 0',
      expect.stringMatching(/^from\[1\]: must be one of Absent, Starting, .*, not "Asleep"$/),
      expect.stringMatching(/^next\.evict: is not a known field/),
      'next.kubelet: must be one of start, stop, reboot, not "nap"',
      'next.conditions[0].status: must be one of True, False, Unknown, not "Maybe"',
      'next.conditions[0].reason: is missing',
    ]);
  });

  it.each([
    ['two moments at once', { ...good, every: '5s' }, 'every: cannot stand beside delay'],
    [
      'a moment that comes all the time',
      { ...good, delay: undefined, every: '1ms' },
      'every: must be at least 100ms',
    ],
    ['no subject', { ...good, of: undefined }, 'of: must be one of Node, Pod, not undefined'],
    ['no phase', { ...good, from: undefined }, 'from: is missing'],
    [
      'a pod stage without a delay',
      { ...good, of: 'Pod', from: 'Bound', delay: undefined, next: { phase: 'Running' } },
      'delay: is missing: a pod stage has one',
    ],
    [
      'a pod that ends in two ways',
      {
        ...good,
        of: 'Pod',
        from: 'Bound',
        next: { phase: 'Ended', evict: { message: 'a' }, exit: { code: 1, reason: 'Error' } },
      },
      'next: must have at most one of start, waiting, exit and evict',
    ],
    ['nothing at all', null, ': must be a map, not null'],
  ])('is refused with %s', (_sentence, raw, problem) => {
    expect(problemsOf(raw)).toContain(problem.replace(/^: /, ''));
  });
});
