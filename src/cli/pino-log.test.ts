import { describe, expect, it } from 'vitest';
import { createPinoLog } from './pino-log.ts';

function logTo(format: 'json' | 'text', level: 'debug' | 'info' = 'info') {
  const lines: string[] = [];
  return { log: createPinoLog({ level, format, write: (line) => void lines.push(line) }), lines };
}

describe('the log', () => {
  it('writes one JSON object per line, with the level as a word', () => {
    const { log, lines } = logTo('json');
    log.with({ part: 'a' }).warn('something', { node: 'n' });
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      level: 'warn',
      part: 'a',
      node: 'n',
      msg: 'something',
    });
  });

  it('writes a readable line for people', () => {
    const { log, lines } = logTo('text');
    log.info('write', { object: 'Node a', causes: ['x'] });
    expect(lines[0]).toMatch(/^\d\d:\d\d:\d\d info {2}write object="Node a" causes=\["x"\]\n$/);
  });

  it('leaves out what is below its level', () => {
    const { log, lines } = logTo('json');
    log.debug('quiet');
    expect(lines).toEqual([]);
  });
});
