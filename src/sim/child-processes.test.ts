import { describe, expect, it } from 'vitest';
import { terminationLogVariable } from '../base/worker-report.ts';
import { createChildProcesses } from './child-processes.ts';

function run(script: string, env: Readonly<Record<string, string>> = {}) {
  const texts: string[] = [];
  const { promise: spoke, resolve } = Promise.withResolvers<void>();
  const command = { name: 'main', argv: [process.execPath, '-e', script], env };
  const running = createChildProcesses({ BASE: 'base' }).start(command, (text) => {
    texts.push(text);
    resolve();
  });
  return { running, spoke, text: () => texts.join('') };
}

describe('a container as a process', () => {
  it('gets its environment, and its output, exit code and termination message are kept', async () => {
    const script = `
      console.log(process.env.BASE, process.env.OWN);
      require('fs').writeFileSync(process.env.${terminationLogVariable}, 'the report');
      process.exit(3);`;
    const { running, text } = run(script, { OWN: 'own' });
    expect(await running.ended).toEqual({ code: 3, message: 'the report' });
    expect(text()).toBe('base own\n');
  });

  it('is asked to end before it is ended', async () => {
    const script = `process.on('SIGTERM', () => process.exit(7)); console.log('up'); setInterval(() => {}, 1000);`;
    const { running, spoke } = run(script);
    await spoke;
    running.stop('politely');
    expect(await running.ended).toEqual({ code: 7, message: '' });
  });

  it('ends with 128 and the signal when it does not listen', async () => {
    const script = `process.on('SIGTERM', () => {}); console.log('up'); setInterval(() => {}, 1000);`;
    const { running, spoke } = run(script);
    await spoke;
    running.stop('politely');
    running.stop('now');
    expect(await running.ended).toEqual({ code: 137, message: '' });
  });

  it('that cannot be started ends with 127 and says why in its log', async () => {
    const texts: string[] = [];
    const command = { name: 'main', argv: ['no-such-program-anywhere'], env: {} };
    const started = createChildProcesses({}).start(command, (text) => texts.push(text));
    expect(await started.ended).toEqual({ code: 127, message: '' });
    expect(texts.join('')).toContain('no-such-program-anywhere');
  });

  it('ends when all are ended', async () => {
    const processes = createChildProcesses({});
    const argv = [process.execPath, '-e', 'setInterval(() => {}, 1000)'];
    const started = [1, 2].map(() => processes.start({ name: 'main', argv, env: {} }, () => {}));
    processes.stopAll();
    expect(await Promise.all(started.map(({ ended }) => ended))).toMatchObject([
      { code: 137 },
      { code: 137 },
    ]);
  });
});
