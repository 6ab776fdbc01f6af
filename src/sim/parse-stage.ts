// A stage file, parsed strictly: the stage, or everything that is wrong with it, each problem with its path.

import { err, ok, type Problem, type Result } from '../base/result.ts';
import { recordsIn } from '../objects/raw.ts';
import { parseSelector, type Selector } from '../objects/selector.ts';
import {
  type NodeEffect,
  nodePhases,
  type PodEffect,
  podPhases,
  type Stage,
  type StageCondition,
  type StageMatch,
  type Trigger,
} from './stage.ts';
import { StageReader } from './stage-reader.ts';

/** Every field of a stage file and what it means: the reference page is made of this. */
export const stageFields = {
  stage: 'its name, the same as the name of the file without `.yaml`',
  about: 'one sentence for people',
  of: '`Node` or `Pod`',
  from: 'the phase, or a list of phases, in which it can happen',
  selector: 'a label selector (`matchLabels`, `matchExpressions`); everything when absent',
  annotations: 'annotations that the object has, with exact values; `"*"` for any value',
  fields: 'fields that the object has, by dotted path, such as `spec.restartPolicy: Never`',
  runnable: 'of a pod: whether all of its images can be run here as processes',
  delay: 'how long after the phase began: `2s`, or `{ for: 2s, jitter: 1s }` for 2 to 3 s',
  every: 'in place of `delay`: again and again, each time to one object of all that match',
  priority: 'among those that apply the highest wins; 0 when absent',
  weight: 'among equals one is drawn by weight; 1 when absent',
  next: 'what it does',
} as const;

/** What `next` of a node may hold. */
export const nodeEffectFields = {
  phase: 'the phase that follows',
  object: '`create` registers the Node, `delete` deletes it',
  kubelet:
    '`start` begins heartbeats, `stop` ends them without a word, `reboot` begins them with a new boot ID',
  conditions: 'conditions that the kubelet reports: `type`, `status`, `reason`, `message`',
} as const;

/** What `next` of a pod may hold. */
export const podEffectFields = {
  phase: 'the phase that follows',
  start: '`script`: its containers count as running. `process`: they run here, as real processes',
  waiting: 'its containers wait: `reason`, `message`',
  exit: 'its containers end: `code`, `reason`, `message` (the termination message)',
  evict: 'the kubelet evicts it: `message`',
} as const;

export function parseStage(raw: unknown): Result<Stage, readonly Problem[]> {
  const reader = new StageReader();
  const fields = reader.record(raw ?? null, '', Object.keys(stageFields));
  const core = {
    name: nameOf(reader, fields['stage']),
    about: reader.text(fields['about'], 'about'),
    match: matchOf(reader, fields),
    trigger: triggerOf(reader, fields),
    priority: reader.whole(fields['priority'], 'priority', { min: -100, max: 100, fallback: 0 }),
    weight: reader.whole(fields['weight'], 'weight', { min: 1, max: 1000, fallback: 1 }),
  };
  const of = reader.choice(fields['of'], 'of', ['Node', 'Pod']);
  if (of === 'Pod' && core.trigger.kind !== 'delay')
    reader.complain('delay', 'is missing: a pod stage has one');
  const stage: Stage =
    of === 'Pod'
      ? {
          ...core,
          of,
          from: reader.choices(fields['from'], 'from', podPhases),
          effect: podEffect(reader, fields['next']),
        }
      : {
          ...core,
          of: 'Node',
          from: reader.choices(fields['from'], 'from', nodePhases),
          effect: nodeEffect(reader, fields['next']),
        };
  return reader.problems.length === 0 ? ok(stage) : err(reader.problems);
}

type Fields = Readonly<Record<string, unknown>>;

function nameOf(reader: StageReader, raw: unknown): string {
  const name = reader.text(raw, 'stage');
  if (name !== '' && !/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/.test(name))
    reader.complain(
      'stage',
      `must be lower-case words with dashes between them, not ${JSON.stringify(name)}`,
    );
  return name;
}

function matchOf(reader: StageReader, fields: Fields): StageMatch {
  const { runnable } = fields;
  if (runnable !== undefined && typeof runnable !== 'boolean')
    reader.complain('runnable', `must be true or false, not ${JSON.stringify(runnable)}`);
  return {
    labels: selectorOf(reader, fields['selector']),
    annotations: reader.texts(fields['annotations'], 'annotations'),
    fields: reader.texts(fields['fields'], 'fields'),
    isRunnable: typeof runnable === 'boolean' ? runnable : null,
  };
}

function selectorOf(reader: StageReader, raw: unknown): Selector {
  if (raw === undefined) return [];
  const selector = parseSelector(raw, 'selector');
  if (selector.kind === 'ok') return selector.value;
  reader.problems.push(...selector.error);
  return [];
}

function triggerOf(reader: StageReader, { delay, every }: Fields): Trigger {
  if (delay !== undefined && every !== undefined) reader.complain('every', 'cannot stand beside delay');
  if (every !== undefined) {
    const parsed = reader.delay(every, 'every');
    if (parsed.forMs < 100) reader.complain('every', 'must be at least 100ms');
    return { kind: 'pick', every: parsed };
  }
  return delay === undefined ? { kind: 'byHand' } : { kind: 'delay', delay: reader.delay(delay, 'delay') };
}

function nodeEffect(reader: StageReader, raw: unknown): NodeEffect {
  const fields = reader.record(raw ?? null, 'next', Object.keys(nodeEffectFields));
  const { object, kubelet, conditions } = fields;
  if (conditions !== undefined && !Array.isArray(conditions))
    reader.complain('next.conditions', 'must be a list');
  return {
    phase: reader.choice(fields['phase'], 'next.phase', nodePhases) ?? 'Absent',
    object: object === undefined ? null : reader.choice(object, 'next.object', ['create', 'delete']),
    kubelet:
      kubelet === undefined ? null : reader.choice(kubelet, 'next.kubelet', ['start', 'stop', 'reboot']),
    conditions: recordsIn(conditions).map((each, index) =>
      conditionOf(reader, each, `next.conditions[${index}]`),
    ),
  };
}

function conditionOf(reader: StageReader, raw: unknown, path: string): StageCondition {
  const fields = reader.record(raw, path, ['type', 'status', 'reason', 'message']);
  return {
    type: reader.text(fields['type'], `${path}.type`),
    status: reader.choice(fields['status'], `${path}.status`, ['True', 'False', 'Unknown']) ?? 'Unknown',
    reason: reader.text(fields['reason'], `${path}.reason`),
    message: reader.optionalText(fields['message'], `${path}.message`),
  };
}

function podEffect(reader: StageReader, raw: unknown): PodEffect {
  const fields = reader.record(raw ?? null, 'next', Object.keys(podEffectFields));
  const { start, waiting, exit, evict } = fields;
  if ([start, waiting, exit, evict].filter((each) => each !== undefined).length > 1)
    reader.complain('next', 'must have at most one of start, waiting, exit and evict');
  return {
    phase: reader.choice(fields['phase'], 'next.phase', podPhases) ?? 'Ended',
    start: start === undefined ? null : reader.choice(start, 'next.start', ['script', 'process']),
    waiting: waiting === undefined ? null : waitingOf(reader, waiting),
    exit: exit === undefined ? null : exitOf(reader, exit),
    evict: evict === undefined ? null : { message: messageOf(reader, evict, 'next.evict') },
  };
}

function waitingOf(reader: StageReader, raw: unknown): PodEffect['waiting'] {
  const fields = reader.record(raw, 'next.waiting', ['reason', 'message']);
  return {
    reason: reader.text(fields['reason'], 'next.waiting.reason'),
    message: reader.optionalText(fields['message'], 'next.waiting.message'),
  };
}

function exitOf(reader: StageReader, raw: unknown): PodEffect['exit'] {
  const fields = reader.record(raw, 'next.exit', ['code', 'reason', 'message']);
  return {
    code: reader.whole(fields['code'], 'next.exit.code', { min: 0, max: 255, fallback: 0 }),
    reason: reader.text(fields['reason'], 'next.exit.reason'),
    message: reader.optionalText(fields['message'], 'next.exit.message'),
  };
}

function messageOf(reader: StageReader, raw: unknown, path: string): string {
  return reader.text(reader.record(raw, path, ['message'])['message'], `${path}.message`);
}
