// `muster rules`: every readiness rule of both kinds, one line each.

import { ok } from '../../base/result.ts';
import { resourceName } from '../../objects/ref.ts';
import { ruleTypes } from '../../fleet/readiness-rule.ts';
import { formatRules, ruleDocument } from '../../present/rule-list.ts';
import { choice } from '../option-kinds.ts';
import { option, type OptionList } from '../options.ts';
import { howToAdd } from './reading.ts';
import { readRules } from './rule-reading.ts';
import { type ViewCommand, viewExitCodes } from './view-command.ts';

const rulesOptions = {
  output: option(choice(['table', 'json', 'name']), {
    flag: 'output',
    short: 'o',
    key: null,
    fallback: 'table',
    help: 'a table, one JSON document, or names that kubectl understands',
  }),
} satisfies OptionList;

export const rulesCommand: ViewCommand<typeof rulesOptions> = {
  name: 'rules',
  words: [],
  summary: 'Lists the readiness rules of both kinds: what each is about and how far it has come.',
  details: [
    'READY counts the nodes that meet the rule, of those it selects; GATED those with its taint; HELD those that the brake',
    'holds back. STATE is a reason of docs/reference/reasons.md, the weightiest one, and how many more there are.',
  ],
  options: rulesOptions,
  exitCodes: '0 fine, 1 failure, 2 usage or configuration.',
  async run({ api, world, values }) {
    const read = await readRules(api);
    if (read.kind === 'error') return read;
    const { rules, absent } = read.value;
    for (const front of absent) world.complain(`The cluster does not have the kind ${front}; ${howToAdd}.`);
    if (values.output === 'json') world.print(JSON.stringify({ rules: rules.map(ruleDocument) }, null, 2));
    else if (values.output === 'name')
      for (const { view } of rules) world.print(`${resourceName(ruleTypes[view.front])}/${view.name}`);
    else if (rules.length === 0) world.complain('There are no readiness rules.');
    else for (const line of formatRules(rules, world.clock.now(), world.look)) world.print(line);
    return ok(viewExitCodes.fine);
  },
};
