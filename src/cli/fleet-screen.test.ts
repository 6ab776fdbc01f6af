import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { Stage } from '../api/lifecycle-vocabulary.ts';
import { FleetScreen, type FleetFacts, formatElapsed, plainNotice } from './fleet-screen.ts';

const pool = (name: string, counts: Partial<Record<Stage, number>>) => {
  const byStage = new Map(Object.entries(counts) as [Stage, number][]);
  return { name, nodes: [...byStage.values()].reduce((sum, each) => sum + each, 0), byStage };
};
const facts: FleetFacts = {
  elapsedMs: 65_000,
  pools: [pool('general', { InService: 11, Gated: 1 }), pool('gpu', { Joined: 2, InService: 120 })],
  notices: Array.from({ length: 20 }, (_, index) => ({
    atMs: index * 1000,
    subject: `general-${index}`,
    text: 'reboots',
  })),
};
const size = { columns: 80, rows: 30, hasColour: false };
const visible = stripVTControlCharacters;
/** Whether no colour is left switched on at the end of the line. */
const isClosed = (line: string) =>
  !line.includes('\u001B') || (line.split('\u001B[').at(-1) ?? '').startsWith('0m');

describe('the table of a fleet', () => {
  it('has one row per pool, one for all and a column per usual stage, aligned', () => {
    expect(new FleetScreen().lines(facts, size).slice(0, 7)).toEqual([
      '134 nodes, 1m 05s',
      '',
      'POOL     NODES  JOINED  GATED  IN SERVICE  LEAVING',
      'general     12       -      1          11        -',
      'gpu        122       2      -         120        -',
      'all        134       2      1         131        -',
      '',
    ]);
  });

  it('gains a column when a node enters another stage, and keeps it', () => {
    const screen = new FleetScreen();
    const updating = { ...facts, pools: [pool('general', { Updating: 1 })] };
    expect(screen.lines(updating, size)[2]).toContain('UPDATING');
    expect(screen.lines(facts, size)[2]).toContain('UPDATING');
  });

  it('has no row for all when there is one pool', () => {
    const lines = new FleetScreen().lines({ ...facts, pools: [pool('general', { InService: 1 })] }, size);
    expect(lines.filter((line) => line.startsWith('all'))).toEqual([]);
  });

  it('shows the last things that happened, as many as there is room for', () => {
    const shown = (rows: number) => new FleetScreen().lines(facts, { ...size, rows }).slice(7);
    expect(shown(30)).toHaveLength(10);
    expect(shown(14)).toHaveLength(6);
    expect(shown(3)).toHaveLength(4);
    expect(shown(14).at(-1)).toBe('    19s  general-19      reboots');
  });

  it('never writes beyond the width of the window, colours or not', () => {
    for (const columns of [20, 40, 80]) {
      for (const hasColour of [false, true]) {
        const lines = new FleetScreen().lines(facts, { ...size, columns, hasColour });
        for (const line of lines) {
          expect(visible(line).length).toBeLessThan(columns);
          expect(isClosed(line)).toBe(true);
        }
      }
    }
  });

  it('is the same with colours as without', () => {
    const coloured = new FleetScreen().lines(facts, { ...size, hasColour: true });
    expect(coloured.map(visible)).toEqual(new FleetScreen().lines(facts, size));
    expect(coloured.join('')).toContain('\u001B[32m');
  });
});

describe('a line for a pipe', () => {
  it('says when, who and what', () => {
    expect(plainNotice({ atMs: 61_000, subject: 'gpu-01', text: 'reboots' })).toBe(
      ' 1m 01s  gpu-01  reboots',
    );
  });

  it.each([
    [999, '0s'],
    [59_999, '59s'],
    [60_000, '1m 00s'],
    [3_725_000, '1h 02m'],
  ])('says %i ms as %s', (ms, text) => expect(formatElapsed(ms)).toBe(text));
});
