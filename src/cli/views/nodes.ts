// `muster nodes`: one line per node from its NodeLifecycle.

import { nodeLifecycleType } from '../../api/keys.ts';
import { stages } from '../../api/lifecycle-vocabulary.ts';
import { err, ok } from '../../base/result.ts';
import { labelValueProblem } from '../../objects/label-key.ts';
import {
  formatNodes,
  formatOpenGates,
  nodeDocument,
  type NodeLine,
  openGatesOf,
} from '../../present/node-list.ts';
import { choice, flagSwitch } from '../option-kinds.ts';
import { option, type OptionKind, type OptionList } from '../options.ts';
import { readRecord } from './node-record.ts';
import { listAll, required } from './reading.ts';
import { type ViewCommand, viewExitCodes, type ViewWorld } from './view-command.ts';

/** Pools are named by labels of their nodes. */
const poolName: OptionKind<string> = {
  placeholder: '<name>',
  read(raw) {
    if (typeof raw !== 'string') return err('must be text');
    const problem = raw === '' ? 'must not be empty' : labelValueProblem(raw);
    return problem === null ? ok(raw) : err(problem);
  },
};

const nodesOptions = {
  isGated: option(flagSwitch, {
    flag: 'gated',
    key: null,
    fallback: false,
    help: 'only open gates, one line each, with who and why',
  }),
  pool: option(poolName, {
    flag: 'pool',
    key: null,
    fallback: '',
    help: 'only nodes of this pool',
  }),
  stage: option<(typeof stages)[number] | ''>(choice(stages), {
    flag: 'stage',
    key: null,
    fallback: '',
    help: 'only nodes in this stage',
  }),
  output: option(choice(['table', 'json', 'name']), {
    flag: 'output',
    short: 'o',
    key: null,
    fallback: 'table',
    help: 'a table, one JSON document, or names that kubectl understands',
  }),
} satisfies OptionList;

export const nodesCommand: ViewCommand<typeof nodesOptions> = {
  name: 'nodes',
  words: [],
  summary: 'Lists nodes as their NodeLifecycle tells it: stage, gates, pool, and since when.',
  details: [
    'Taints of others, which dedicate a node to some pods, are shown among the gates and are no open gate. CONFLICT is a reason of',
    'docs/reference/reasons.md, shown while two rules or capabilities want different things of a node or somebody undoes our work.',
  ],
  options: nodesOptions,
  exitCodes: '0 fine, 1 failure, 2 usage or configuration.',
  async run({ api, world, values }) {
    const { pool, stage, isGated, output } = values;
    const selectors = [
      ...(pool === '' ? [] : [`status.pool=${pool}`]),
      ...(stage === '' ? [] : [`status.stage=${stage}`]),
    ];
    const selection = {
      type: nodeLifecycleType,
      ...(selectors.length === 0 ? {} : { fieldSelector: selectors.join(',') }),
    };
    const items = required(await listAll(api, selection), selection);
    if (items.kind === 'error') return items;
    const all = items.value.map(readRecord);
    const nodes = isGated ? all.filter((node) => openGatesOf(node).length > 0) : all;
    if (output === 'json') world.print(JSON.stringify({ nodes: nodes.map(nodeDocument) }, null, 2));
    else if (output === 'name') for (const { name } of nodes) world.print(`node/${name}`);
    else if (all.length === 0) world.complain('There are no such nodes.');
    else if (nodes.length === 0) world.complain(noGateWords(all.length, selectors.length > 0));
    else printTable(nodes, world, isGated ? 'gates' : 'nodes');
    return ok(viewExitCodes.fine);
  },
};

function noGateWords(nodes: number, isNarrowed: boolean): string {
  return isNarrowed ? `No gate is open on these ${nodes} nodes.` : 'No gate is open.';
}

function printTable(nodes: readonly NodeLine[], world: ViewWorld, what: 'gates' | 'nodes'): void {
  const { look } = world;
  const now = world.clock.now();
  const lines =
    what === 'gates' ? formatOpenGates(nodes.flatMap(openGatesOf), now, look) : formatNodes(nodes, now, look);
  for (const line of lines) world.print(line);
}
