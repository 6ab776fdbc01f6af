import { describe, expect, it } from 'vitest';
import { completeLock } from './complete-lock.ts';

describe('a lockfile without the packages of other platforms', () => {
  const tool = {
    optionalDependencies: {
      '@a/cli-linux-x64': '1.0.0',
      '@a/cli-linux-arm64-musl': '1.0.0',
      '@a/cli-win32-x64': '1.0.0',
    },
  };
  const lock = {
    packages: { '': {}, 'node_modules/a': tool, 'node_modules/@a/cli-linux-x64': { version: '1.0.0' } },
  };

  it('gets them by name, version and platform, and keeps what it has', () => {
    const { packages } = completeLock(lock);
    expect(packages['node_modules/@a/cli-linux-x64']).toEqual({ version: '1.0.0' });
    expect(packages['node_modules/@a/cli-win32-x64']).toEqual({
      version: '1.0.0',
      cpu: ['x64'],
      dev: true,
      optional: true,
      os: ['win32'],
    });
    expect(packages['node_modules/@a/cli-linux-arm64-musl']).toMatchObject({
      cpu: ['arm64'],
      libc: ['musl'],
      os: ['linux'],
    });
  });

  it('is not changed once it is complete', () => {
    expect(completeLock(completeLock(lock))).toEqual(completeLock(lock));
  });
});
