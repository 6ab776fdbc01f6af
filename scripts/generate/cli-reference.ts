// The tables of the reference page of the commands for people: their options.

import { explainCommand } from '../../src/cli/views/explain.ts';
import { nodesCommand } from '../../src/cli/views/nodes.ts';
import { rulesCommand } from '../../src/cli/views/rules.ts';
import { allOptions, type ViewCommand } from '../../src/cli/views/view-command.ts';
import { optionRows } from './operator-reference.ts';
import { table } from './reference.ts';

export function cliBlocks(): Readonly<Record<string, string>> {
  const options = (command: Pick<ViewCommand, 'options'>) =>
    table(['Flag', 'Default', 'Meaning'], optionRows(allOptions(command)));
  return {
    'rules-options': options(rulesCommand),
    'explain-options': options(explainCommand),
    'nodes-options': options(nodesCommand),
  };
}
