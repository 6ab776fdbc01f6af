import { describe, expect, it } from 'vitest';
import { manualClock } from '../../test/support/manual-clock.ts';
import { systemClock } from '../base/clock.ts';
import { silentLog } from '../base/log.ts';
import { ok, type Result } from '../base/result.ts';
import { formatTime } from '../base/timestamp.ts';
import type { ExecPlugin } from './cluster-connection.ts';
import { createExecCredentials } from './exec-credentials.ts';
import { type CommandLine, type CommandOutcome, nodeCommands, nodeFiles } from './host-ports.ts';
import type { CredentialWorld, Identity } from './identity.ts';

const v1 = 'client.authentication.k8s.io/v1';

const plugin: ExecPlugin = {
  command: 'cloud-login',
  args: ['token', '--cluster', 'c'],
  env: { REGION: 'north' },
  apiVersion: v1,
  interactiveMode: 'IfAvailable',
  installHint: '',
  cluster: null,
};

function printed(status: object, apiVersion: string = v1): CommandOutcome {
  return {
    kind: 'exited',
    code: 0,
    stdout: JSON.stringify({ apiVersion, kind: 'ExecCredential', status }),
    stderr: '',
  };
}

function setUp(changes: Partial<ExecPlugin> = {}, world: Partial<CredentialWorld> = {}) {
  const clock = manualClock();
  const runs: CommandLine[] = [];
  const outcomes: CommandOutcome[] = [];
  const credentials = createExecCredentials(
    { ...plugin, ...changes },
    {
      clock,
      log: silentLog,
      files: { read: async (path) => ok(`content of ${path}`) },
      commands: {
        async run(line) {
          runs.push(line);
          return outcomes.shift() ?? printed({ token: `token-${runs.length}` });
        },
      },
      environment: { PATH: '/bin', UNSET: undefined },
      isInteractive: false,
      ...world,
    },
  );
  return { clock, runs, outcomes, credentials };
}

function tokenIn(identity: Result<Identity, string>): string | null {
  return identity.kind === 'ok' ? identity.value.authorization : identity.error;
}

function refuse({ credentials }: ReturnType<typeof setUp>, token: string): void {
  credentials.refused({ authorization: `Bearer ${token}`, certificate: null });
}

describe('the command', () => {
  it('is told what it needs to know', async () => {
    const { runs, credentials } = setUp();
    await credentials.current();
    const [run] = runs;
    expect(run).toMatchObject({
      command: 'cloud-login',
      args: ['token', '--cluster', 'c'],
      terminal: 'none',
    });
    const { KUBERNETES_EXEC_INFO: request, ...env } = run?.env ?? {};
    expect(env).toEqual({ PATH: '/bin', REGION: 'north' });
    expect(JSON.parse(request ?? '')).toEqual({
      apiVersion: v1,
      kind: 'ExecCredential',
      spec: { interactive: false },
    });
  });

  it('is told about the cluster when it asks for that', async () => {
    const { runs, credentials } = setUp({
      cluster: {
        server: 'https://c.test',
        ca: { kind: 'file', path: '/ca' },
        insecureSkipTlsVerify: false,
        tlsServerName: 'other.test',
        proxyUrl: null,
        config: { audience: 'x' },
      },
    });
    await credentials.current();
    expect(JSON.parse(runs[0]?.env['KUBERNETES_EXEC_INFO'] ?? '')).toMatchObject({
      spec: {
        cluster: {
          server: 'https://c.test',
          'tls-server-name': 'other.test',
          'certificate-authority-data': Buffer.from('content of /ca').toString('base64'),
          config: { audience: 'x' },
        },
      },
    });
  });

  it.each([
    ['IfAvailable', true, 'inherit'],
    ['IfAvailable', false, 'none'],
    ['Always', true, 'inherit'],
    ['Never', true, 'none'],
  ] as const)('in mode %s with a terminal: %s gets %s', async (interactiveMode, isInteractive, terminal) => {
    const { runs, credentials } = setUp({ interactiveMode }, { isInteractive });
    await credentials.current();
    expect(runs[0]?.terminal).toBe(terminal);
  });

  it('that always needs a terminal is not run without one', async () => {
    const { runs, credentials } = setUp({ interactiveMode: 'Always' });
    expect(tokenIn(await credentials.current())).toBe(
      'the credential command cloud-login needs a terminal, and there is none',
    );
    expect(runs).toEqual([]);
  });
});

describe('a credential', () => {
  it('without an end is used until it is refused', async () => {
    const setup = setUp();
    await setup.credentials.current();
    await setup.clock.advance(86_400_000);
    expect(tokenIn(await setup.credentials.current())).toBe('Bearer token-1');
    refuse(setup, 'token-1');
    expect(tokenIn(await setup.credentials.current())).toBe('Bearer token-2');
  });

  it('is used until it expires', async () => {
    const { clock, outcomes, runs, credentials } = setUp();
    outcomes.push(printed({ token: 'short', expirationTimestamp: formatTime(clock.now() + 60_000) }));
    await credentials.current();
    await clock.advance(59_999);
    expect(tokenIn(await credentials.current())).toBe('Bearer short');
    await clock.advance(1);
    expect(tokenIn(await credentials.current())).toBe('Bearer token-2');
    expect(runs).toHaveLength(2);
  });

  it('is asked for once by all who need it at the same time', async () => {
    const { runs, credentials } = setUp();
    await Promise.all([credentials.current(), credentials.current()]);
    expect(runs).toHaveLength(1);
  });

  it('that is refused right after it was made is not made again at once', async () => {
    const setup = setUp();
    await setup.credentials.current();
    refuse(setup, 'token-1');
    expect(tokenIn(await setup.credentials.current())).toBe('Bearer token-1');
    await setup.clock.advance(10_000);
    expect(tokenIn(await setup.credentials.current())).toBe('Bearer token-2');
  });

  it('is kept when the refused one was its predecessor', async () => {
    const setup = setUp();
    await setup.credentials.current();
    await setup.clock.advance(60_000);
    refuse(setup, 'token-0');
    expect(tokenIn(await setup.credentials.current())).toBe('Bearer token-1');
  });

  it('may be a certificate', async () => {
    const { outcomes, credentials } = setUp();
    outcomes.push(printed({ clientCertificateData: 'CERT', clientKeyData: 'KEY' }));
    expect(await credentials.current()).toEqual(
      ok({ authorization: null, certificate: { certificate: 'CERT', key: 'KEY' } }),
    );
  });

  it('of v1beta1 is understood', async () => {
    const apiVersion = 'client.authentication.k8s.io/v1beta1';
    const { outcomes, credentials } = setUp({ apiVersion });
    outcomes.push(printed({ token: 'beta' }, apiVersion));
    expect(tokenIn(await credentials.current())).toBe('Bearer beta');
  });
});

describe('a failure', () => {
  const failures: Readonly<Record<string, readonly [CommandOutcome, string]>> = {
    'a missing command': [{ kind: 'missing' }, 'is not installed. Run apt install cloud'],
    'a command that may not run': [{ kind: 'failed', message: 'EACCES' }, 'could not be run: EACCES'],
    'a bad exit': [
      { kind: 'exited', code: 3, stdout: '', stderr: 'log in first\n' },
      'exited with 3: log in first',
    ],
    'a killed command': [{ kind: 'exited', code: null, stdout: '', stderr: '' }, 'exited with a signal'],
    'no JSON': [
      { kind: 'exited', code: 0, stdout: 'hello', stderr: '' },
      'printed no credential: its output is not an ExecCredential',
    ],
    'another version': [
      printed({ token: 'x' }, 'client.authentication.k8s.io/v2'),
      `printed no credential: it speaks client.authentication.k8s.io/v2, but ${v1} was asked for`,
    ],
    'an empty status': [printed({}), 'printed no credential: it holds neither a token nor a certificate'],
    'half a pair': [
      printed({ clientKeyData: 'KEY' }),
      'printed no credential: it holds only one half of a certificate and its key',
    ],
    'a token that is none': [printed({ token: 'a b' }), 'printed no credential: the token holds characters'],
  };

  it.each(Object.entries(failures))('says what is wrong: %s', async (_name, [outcome, expected]) => {
    const { outcomes, credentials } = setUp({ installHint: 'Run apt install cloud\n' });
    outcomes.push(outcome);
    expect(tokenIn(await credentials.current())).toContain(`the credential command cloud-login ${expected}`);
  });

  it('is remembered for a while, so that a storm of requests does not run the command each time', async () => {
    const { clock, outcomes, runs, credentials } = setUp();
    outcomes.push({ kind: 'missing' });
    await credentials.current();
    expect(tokenIn(await credentials.current())).toContain('is not installed');
    expect(runs).toHaveLength(1);
    await clock.advance(10_000);
    expect(tokenIn(await credentials.current())).toBe('Bearer token-2');
  });

  it('ends a command that takes too long', async () => {
    const clock = manualClock();
    const endless: CredentialWorld['commands'] = {
      run: (_line, signal) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => resolve({ kind: 'failed', message: 'killed' }));
        }),
    };
    const { credentials } = setUp({}, { clock, commands: endless });
    const current = credentials.current();
    await clock.advance(120_000);
    expect(tokenIn(await current)).toBe('the credential command cloud-login could not be run: killed');
  });
});

describe('real commands', () => {
  const world: CredentialWorld = {
    clock: systemClock,
    log: silentLog,
    files: nodeFiles,
    commands: nodeCommands,
    environment: { PATH: process.env['PATH'] },
    isInteractive: false,
  };
  const script = (code: string) =>
    createExecCredentials(
      { ...plugin, command: process.execPath, args: ['-e', code], env: { TOKEN: 'real' } },
      world,
    );

  it('are run with their environment', async () => {
    const credentials = script(`
      const { apiVersion, kind } = JSON.parse(process.env.KUBERNETES_EXEC_INFO);
      console.log(JSON.stringify({ apiVersion, kind, status: { token: process.env.TOKEN } }));`);
    expect(tokenIn(await credentials.current())).toBe('Bearer real');
  });

  it('that fail are quoted', async () => {
    const credentials = script(`console.error('log in first'); process.exitCode = 7;`);
    expect(tokenIn(await credentials.current())).toMatch(/exited with 7: log in first$/);
  });

  it('that do not exist are missing', async () => {
    const credentials = createExecCredentials({ ...plugin, command: 'no-such-command-anywhere' }, world);
    expect(tokenIn(await credentials.current())).toMatch(/is not installed$/);
  });

  it('are killed when their time is up', async () => {
    const abort = new AbortController();
    const run = nodeCommands.run(
      { command: process.execPath, args: ['-e', 'setInterval(() => {}, 1000)'], env: {}, terminal: 'none' },
      abort.signal,
    );
    abort.abort();
    expect(await run).toMatchObject({ kind: 'failed' });
  });
});
