// The tables of the simulator's reference page: its options, the form of a stage file, and the stages that are built in.

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { load } from 'js-yaml';
import { simKeys } from '../../src/api/keys.ts';
import { simOptions } from '../../src/cli/sim-options.ts';
import { nodeEffectFields, parseStage, podEffectFields, stageFields } from '../../src/sim/parse-stage.ts';
import { nodePhases, podPhases, type Stage } from '../../src/sim/stage.ts';
import { optionRows } from './operator-reference.ts';
import { meaningTable, table } from './reference.ts';

export function simBlocks(): Readonly<Record<string, string>> {
  const world = stagesIn('world');
  const outcomes = new Map(world.flatMap((stage) => outcomeOf(stage)));
  return {
    options: table(['Flag', 'Default', 'Meaning'], optionRows(simOptions)),
    fields: meaningTable('Field', stageFields),
    'node-effects': meaningTable('Field', nodeEffectFields),
    'pod-effects': meaningTable('Field', podEffectFields),
    phases: table(
      ['Of', 'Phases'],
      [
        ['Node', nodePhases.map((phase) => `\`${phase}\``).join(', ')],
        ['Pod', podPhases.map((phase) => `\`${phase}\``).join(', ')],
      ],
    ),
    stages: table(
      ['Stage', 'From', 'When', 'What'],
      [
        ...world.map((stage) => stageRow(stage)),
        ...stagesIn('demo').map((stage) => stageRow(stage, ' (demonstration)')),
      ],
    ),
    outcomes: meaningTable('Outcome', Object.fromEntries([...outcomes].sort(([a], [b]) => (a < b ? -1 : 1)))),
  };
}

function stageRow({ name, from, trigger, about }: Stage, note = ''): readonly string[] {
  return [`\`${name}\`${note}`, from.join(', '), whenOf(trigger), about];
}

function whenOf(trigger: Stage['trigger']): string {
  if (trigger.kind === 'byHand') return 'on request';
  const { forMs, jitterMs } = trigger.kind === 'pick' ? trigger.every : trigger.delay;
  const span = jitterMs === 0 ? seconds(forMs) : `${seconds(forMs)} to ${seconds(forMs + jitterMs)}`;
  return trigger.kind === 'pick' ? `every ${span}` : `after ${span}`;
}

function seconds(ms: number): string {
  return `${ms / 1000} s`;
}

function outcomeOf({ match, about }: Stage): readonly (readonly [string, string])[] {
  const outcome = match.annotations[simKeys.outcome];
  return outcome === undefined || outcome === '*' ? [] : [[outcome, about]];
}

function stagesIn(set: string): readonly Stage[] {
  const folder = path.resolve(import.meta.dirname, '../../src/sim/stages', set);
  return readdirSync(folder)
    .sort()
    .map((file) => {
      const stage = parseStage(load(readFileSync(path.join(folder, file), 'utf8')));
      if (stage.kind === 'error') throw new Error(`${file}: ${JSON.stringify(stage.error)}`);
      return stage.value;
    });
}
