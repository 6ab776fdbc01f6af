import { describe, expect, it } from 'vitest';
import { manualClock } from '../../test/support/manual-clock.ts';
import { createLineLog, type LogLevel } from './line-log.ts';
import { createPinoLog } from './pino-log.ts';

type Options = { readonly format: 'json' | 'text'; readonly level?: LogLevel };

const logs = {
  'of the operator': createPinoLog,
  'of a worker': (options: Parameters<typeof createPinoLog>[0]) =>
    createLineLog({ ...options, clock: manualClock() }),
};

describe.each(Object.entries(logs))('the log %s', (_, create) => {
  const logTo = ({ format, level = 'info' }: Options) => {
    const lines: string[] = [];
    return { log: create({ level, format, write: (line) => void lines.push(line) }), lines };
  };

  it('writes one JSON object per line, with the level as a word', () => {
    const { log, lines } = logTo({ format: 'json' });
    log.with({ part: 'a' }).warn('something', { node: 'n' });
    expect(lines[0]).toMatch(/\n$/);
    const { time, ...line } = JSON.parse(lines[0] ?? '') as Record<string, unknown>;
    expect(line).toEqual({ level: 'warn', part: 'a', node: 'n', msg: 'something' });
    expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3})?Z$/);
  });

  it('writes a readable line for people', () => {
    const { log, lines } = logTo({ format: 'text' });
    log.info('write', { object: 'Node a', causes: ['x'] });
    expect(lines[0]).toMatch(/^\d\d:\d\d:\d\d info {2}write object="Node a" causes=\["x"\]\n$/);
  });

  it.each<[LogLevel, number]>([
    ['debug', 4],
    ['info', 3],
    ['warn', 2],
    ['error', 1],
  ])('leaves out what is below the level %s', (level, expected) => {
    const { log, lines } = logTo({ format: 'json', level });
    for (const each of ['debug', 'info', 'warn', 'error'] as const) log[each]('a');
    expect(lines).toHaveLength(expected);
  });
});
