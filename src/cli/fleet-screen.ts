// What `muster up` shows of a fleet, as lines of text: a table of pools by stage and what happened last. Pure: the same
// facts and the same width give the same lines.

import { type Stage, stages } from '../api/lifecycle-vocabulary.ts';
import { painted } from '../present/paint.ts';

export type PoolCounts = {
  readonly name: string;
  readonly nodes: number;
  readonly byStage: ReadonlyMap<Stage, number>;
};

export type Notice = {
  /** Since the start. */
  readonly atMs: number;
  readonly subject: string;
  readonly text: string;
};

export type FleetFacts = {
  readonly elapsedMs: number;
  readonly pools: readonly PoolCounts[];
  /** Oldest first. */
  readonly notices: readonly Notice[];
};

export type ScreenSize = {
  readonly columns: number;
  /** Those that are left for it. */
  readonly rows: number;
  readonly hasColour: boolean;
};

/** Stages that every fleet goes through; the others have a column once a node has been seen in one. */
const usual: ReadonlySet<Stage> = new Set(['Joined', 'Gated', 'InService', 'Leaving']);

const colours: Readonly<Record<Stage, string>> = {
  Joined: '36',
  Configuring: '36',
  Verifying: '36',
  Gated: '33',
  InService: '32',
  Updating: '34',
  Leaving: '35',
};

/** As many as there is room for, within these bounds. */
const NOTICES_MIN = 4;
const NOTICES_MAX = 10;

export class FleetScreen {
  /** Columns never go away again: a table that changes its form is hard to read. */
  readonly #seen = new Set<Stage>(usual);

  lines(facts: FleetFacts, size: ScreenSize): readonly string[] {
    const paint = size.hasColour ? painted : (text: string) => text;
    const table = this.#table(facts.pools, paint);
    const room = Math.max(NOTICES_MIN, Math.min(NOTICES_MAX, size.rows - table.length - 4));
    const notices = facts.notices.slice(-room).map((notice) => noticeLine(notice, paint));
    const nodes = facts.pools.reduce((sum, pool) => sum + pool.nodes, 0);
    const title = `${nodes} nodes, ${formatElapsed(facts.elapsedMs)}`;
    const all = [title, '', ...table, '', ...notices];
    return all.map((line) => cut(line, size.columns - 1));
  }

  #table(pools: readonly PoolCounts[], paint: Paint): readonly string[] {
    for (const { byStage } of pools)
      for (const [stage, count] of byStage) if (count > 0) this.#seen.add(stage);
    const shown = stages.filter((stage) => this.#seen.has(stage));
    const total: PoolCounts = {
      name: 'all',
      nodes: sum(pools.map(({ nodes }) => nodes)),
      byStage: new Map(
        shown.map((stage) => [stage, sum(pools.map(({ byStage }) => byStage.get(stage) ?? 0))]),
      ),
    };
    const rows = pools.length > 1 ? [...pools, total] : pools;
    const width = Math.max(4, ...rows.map(({ name }) => name.length)) + 2;
    const head = [
      'POOL'.padEnd(width),
      'NODES'.padStart(5),
      ...shown.map((stage) => headOf(stage).padStart(widthOf(stage))),
    ];
    return [paint(head.join(''), '1'), ...rows.map((row) => rowLine(row, { shown, width, paint }))];
  }
}

/** One line for a pipe. */
export function plainNotice({ atMs, subject, text }: Notice): string {
  return `${formatElapsed(atMs).padStart(7)}  ${subject}  ${text}`;
}

/** `8s`, `1m 05s`, `2h 03m`. */
export function formatElapsed(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m ${String(seconds % 60).padStart(2, '0')}s`;
  return `${Math.floor(seconds / 3600)}h ${String(Math.floor(seconds / 60) % 60).padStart(2, '0')}m`;
}

type Paint = (text: string, code: string) => string;
type RowStyle = { readonly shown: readonly Stage[]; readonly width: number; readonly paint: Paint };

function rowLine(row: PoolCounts, { shown, width, paint }: RowStyle): string {
  const cells = shown.map((stage) => {
    const count = row.byStage.get(stage) ?? 0;
    const cell = (count === 0 ? '-' : String(count)).padStart(widthOf(stage));
    return count === 0 ? paint(cell, '2') : paint(cell, colours[stage]);
  });
  return [row.name.padEnd(width), String(row.nodes).padStart(5), ...cells].join('');
}

function headOf(stage: Stage): string {
  return (stage === 'InService' ? 'In service' : stage).toUpperCase();
}

function widthOf(stage: Stage): number {
  return headOf(stage).length + 2;
}

function noticeLine({ atMs, subject, text }: Notice, paint: Paint): string {
  return `${paint(formatElapsed(atMs).padStart(7), '2')}  ${subject.padEnd(14)}  ${text}`;
}

/** At most so many visible characters; colours do not count. */
function cut(line: string, columns: number): string {
  let visible = 0;
  let isOpen = false;
  let kept = '';
  // oxlint-disable-next-line no-control-regex -- escape sequences begin with one
  for (const [piece] of line.matchAll(/\u001B\[[0-9;]*m|./gu)) {
    const isCode = piece.length > 1 && piece.startsWith('\u001B');
    if (!isCode && visible >= columns) return `${kept}${isOpen ? '\u001B[0m' : ''}`;
    if (isCode) isOpen = piece !== '\u001B[0m';
    else visible += 1;
    kept += piece;
  }
  return kept;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
