import { describe, expect, it } from 'vitest';
import { manualClock } from '../../test/support/manual-clock.ts';
import { silentLog } from '../base/log.ts';
import { err, ok, type Result } from '../base/result.ts';
import type { CredentialSource } from './cluster-connection.ts';
import { createCredentials, FILE_AGE_MS_MAX } from './credentials.ts';
import type { Files } from './host-ports.ts';
import type { Identity } from './identity.ts';

function setUp(source: Partial<CredentialSource>, content: Record<string, string>) {
  const clock = manualClock();
  const reads: string[] = [];
  const warnings: unknown[] = [];
  const files: Files = {
    async read(path) {
      reads.push(path);
      const text = content[path];
      return text === undefined ? err({ kind: 'missing', message: `no such file: ${path}` }) : ok(text);
    },
  };
  const credentials = createCredentials(
    { certificate: null, token: { kind: 'none' }, ...source },
    {
      clock,
      files,
      log: { ...silentLog, warn: (_message, fields) => warnings.push(fields) },
      commands: { run: async () => ({ kind: 'missing' }) },
      environment: {},
      isInteractive: false,
    },
  );
  return { clock, content, reads, warnings, credentials };
}

function tokenIn(identity: Result<Identity, string>): string | null {
  return identity.kind === 'ok' ? identity.value.authorization : `error: ${identity.error}`;
}

describe('no token', () => {
  it('is nobody', async () => {
    const { credentials } = setUp({}, {});
    expect(await credentials.current()).toEqual(ok({ authorization: null, certificate: null }));
  });
});

describe('a token', () => {
  it('stays what it is', async () => {
    const { credentials } = setUp({ token: { kind: 'token', token: 'abc' } }, {});
    const identity = await credentials.current();
    expect(tokenIn(identity)).toBe('Bearer abc');
    if (identity.kind === 'ok') credentials.refused(identity.value);
    expect(await credentials.current()).toEqual(identity);
  });

  it.each(['a b', 'a\nb', 'ä'])('that no header can hold is refused: %j', async (token) => {
    const { credentials } = setUp({ token: { kind: 'token', token } }, {});
    expect(tokenIn(await credentials.current())).toBe('error: the token holds characters that no token has');
  });
});

describe('a token file', () => {
  const source = { token: { kind: 'tokenFile', path: '/token' } } as const;

  it('is read once a minute at most, and then again', async () => {
    const { clock, content, reads, credentials } = setUp(source, { '/token': 'one\n' });
    expect(tokenIn(await credentials.current())).toBe('Bearer one');
    content['/token'] = 'two\n';
    await clock.advance(FILE_AGE_MS_MAX - 1);
    expect(tokenIn(await credentials.current())).toBe('Bearer one');
    await clock.advance(1);
    expect(tokenIn(await credentials.current())).toBe('Bearer two');
    expect(reads).toEqual(['/token', '/token']);
  });

  it('is read again at once after a refusal', async () => {
    const { content, credentials } = setUp(source, { '/token': 'one' });
    const identity = await credentials.current();
    content['/token'] = 'two';
    if (identity.kind === 'ok') credentials.refused(identity.value);
    expect(tokenIn(await credentials.current())).toBe('Bearer two');
  });

  it('is read once for all who ask at the same time', async () => {
    const { reads, credentials } = setUp(source, { '/token': 'one' });
    await Promise.all([credentials.current(), credentials.current(), credentials.current()]);
    expect(reads).toEqual(['/token']);
  });

  it('that cannot be read any more leaves the last token in place, and says so', async () => {
    const { clock, content, warnings, credentials } = setUp(source, { '/token': 'one' });
    await credentials.current();
    delete content['/token'];
    await clock.advance(FILE_AGE_MS_MAX);
    expect(tokenIn(await credentials.current())).toBe('Bearer one');
    expect(warnings).toEqual([
      { what: 'the token file /token', error: 'cannot read the token: no such file: /token' },
    ]);
  });

  it('that was never readable is an error, and is tried again', async () => {
    const { content, credentials } = setUp(source, {});
    expect(tokenIn(await credentials.current())).toBe('error: cannot read the token: no such file: /token');
    content['/token'] = '';
    expect(tokenIn(await credentials.current())).toBe('error: /token: the token is empty');
    content['/token'] = 'one';
    expect(tokenIn(await credentials.current())).toBe('Bearer one');
  });
});

describe('a client certificate', () => {
  it('goes along with the token, from text or from files', async () => {
    const certificate = {
      certificate: { kind: 'file', path: '/crt' },
      key: { kind: 'inline', text: 'KEY' },
    } as const;
    const { clock, content, credentials } = setUp(
      { certificate, token: { kind: 'token', token: 'abc' } },
      { '/crt': 'CERT 1' },
    );
    const first = ok({ authorization: 'Bearer abc', certificate: { certificate: 'CERT 1', key: 'KEY' } });
    expect(await credentials.current()).toEqual(first);
    content['/crt'] = 'CERT 2';
    await clock.advance(FILE_AGE_MS_MAX);
    expect(await credentials.current()).toMatchObject({ value: { certificate: { certificate: 'CERT 2' } } });
  });

  it('that cannot be read is an error', async () => {
    const missing = {
      certificate: { kind: 'inline', text: 'CERT' },
      key: { kind: 'file', path: '/key' },
    } as const;
    const { credentials } = setUp({ certificate: missing }, {});
    expect(tokenIn(await credentials.current())).toBe(
      'error: cannot read the key of the client certificate: no such file: /key',
    );
  });
});
