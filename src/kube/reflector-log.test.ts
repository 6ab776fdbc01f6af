import { describe, expect, it } from 'vitest';
import { apiFailure } from '../../test/support/api-failure.ts';
import { reflectorScene } from '../../test/support/reflector-scene.ts';
import type { WatchEvent } from '../runtime/ports.ts';

describe('what people read of a reflector', () => {
  it('is a clean end, as something ordinary', async () => {
    const { clock, api, reflector, log } = reflectorScene();
    reflector.start();
    await clock.advance(2_000);
    api.closeWatches();
    await clock.advance(0);
    expect(log.lines).toEqual([
      {
        level: 'debug',
        message: 'a watch ended',
        fields: { resource: 'nodes', reason: 'Closed', message: 'the server closed it in good order' },
      },
    ]);
  });

  it('is a failure, as a warning', async () => {
    const { clock, api, reflector, log } = reflectorScene();
    reflector.start();
    await clock.advance(0);
    api.closeWatches(apiFailure('Unreachable'));
    expect(log.lines).toEqual([
      {
        level: 'warn',
        message: 'a watch ended',
        fields: { resource: 'nodes', reason: 'Unreachable', message: 'injected Unreachable' },
      },
    ]);
  });

  it('is the beginning of a line that was not understood', async () => {
    const { clock, api, reflector, log } = reflectorScene();
    reflector.start();
    await clock.advance(0);
    api.inject({ kind: 'garbled', text: `${'x'.repeat(200)}y` });
    await clock.advance(0);
    expect(log.lines[0]).toEqual({
      level: 'warn',
      message: 'a line of a watch was not understood',
      fields: { resource: 'nodes', text: 'x'.repeat(200) },
    });
  });

  it('is an event of an unknown kind', async () => {
    const { clock, api, reflector, log } = reflectorScene();
    const event: WatchEvent = JSON.parse('{"kind":"weather"}');
    reflector.start();
    await clock.advance(0);
    api.inject(event);
    await clock.advance(0);
    expect(log.lines).toEqual([
      {
        level: 'warn',
        message: 'an event of an unknown kind was ignored',
        fields: { resource: 'nodes', event },
      },
    ]);
  });

  it('is a hint at missing CRDs when a required kind is not served, and at nothing for an optional one', async () => {
    const required = reflectorScene();
    const optional = reflectorScene({ presence: 'optional' });
    for (const { world, reflector, clock } of [required, optional]) {
      world.isServed = false;
      reflector.start();
      await clock.advance(0);
    }
    const hint = 'the API server does not serve this kind: are its CRDs installed?';
    expect(required.log.lines.map(({ level, fields }) => [level, fields['hint']])).toEqual([
      ['warn', hint],
      ['warn', hint],
    ]);
    expect(optional.log.lines.map(({ level, fields }) => [level, 'hint' in fields])).toEqual([
      ['debug', false],
      ['debug', false],
    ]);
  });

  it('is a warning when an optional kind that was there is not found any more', async () => {
    const { clock, world, api, reflector, log } = reflectorScene({ presence: 'optional' });
    reflector.start();
    await clock.advance(2_000);
    world.isServed = false;
    api.closeWatches();
    await clock.advance(0);
    expect(log.lines.at(-1)).toMatchObject({ level: 'warn', fields: { reason: 'NotFound' } });
    expect(log.lines.at(-1)?.fields).not.toHaveProperty('hint');
  });

  it('is a warning when an optional kind is refused for another reason than its absence', async () => {
    const before = () => apiFailure('Forbidden');
    const { clock, reflector, log } = reflectorScene({ presence: 'optional', before });
    reflector.start();
    await clock.advance(0);
    expect(log.lines.map(({ level }) => level)).toEqual(['warn', 'warn']);
  });

  it('is no hint when a required kind fails for another reason', async () => {
    const { clock, reflector, log } = reflectorScene({ before: () => apiFailure('Forbidden') });
    reflector.start();
    await clock.advance(0);
    expect(log.lines.length).toBeGreaterThan(0);
    for (const { fields } of log.lines) expect(fields).not.toHaveProperty('hint');
  });
});
