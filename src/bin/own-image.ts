// Which images are Muster's own, and so run here as processes of this very build.

import { realpathSync } from 'node:fs';
import type { ResolveImage } from '../sim/container-command.ts';

/** `muster`, `registry.example/team/muster:0.1.0`: by the last word of the repository, whatever registry and tag. */
export function ownImage(script: string = process.argv[1] ?? ''): ResolveImage {
  const argv = [process.execPath, realpathSync(script)];
  return (image) => {
    const [repository = ''] = (image.split('/').at(-1) ?? '').split(/[:@]/);
    return repository === 'muster' ? { argv, names: ['muster', '/usr/local/bin/muster'] } : null;
  };
}

/** What a process of a pod inherits: where programs are, and the cluster it belongs to. */
export function podEnvironment(kubeconfig: string): Readonly<Record<string, string>> {
  const { PATH = '', HOME = '', TMPDIR } = process.env;
  return { PATH, HOME, ...(TMPDIR === undefined ? {} : { TMPDIR }), KUBECONFIG: kubeconfig };
}
