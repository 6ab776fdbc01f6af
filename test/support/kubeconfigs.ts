// Kubeconfig files for tests, held in memory, and the reader applied to them.
import { err, formatProblem, ok } from '../../src/base/result.ts';
import type { ClusterConnection } from '../../src/kube/cluster-connection.ts';
import type { Files } from '../../src/kube/host-ports.ts';
import { type ConnectionRequest, readConnection } from '../../src/kube/kubeconfig.ts';

export type Config = Readonly<Record<string, unknown>>;
export type Contents = Readonly<Record<string, string | Config>>;

/** One cluster, one context and two users, of which the second is used. */
export function kubeconfig(parts: { cluster?: Config; user?: Config; context?: Config } = {}): Config {
  return {
    'current-context': 'ctx',
    clusters: [{ name: 'c', cluster: { server: 'https://c.test:6443', ...parts.cluster } }],
    users: [
      { name: 'other', user: {} },
      { name: 'u', user: parts.user ?? {} },
    ],
    contexts: [{ name: 'ctx', context: { cluster: 'c', user: 'u', ...parts.context } }],
  };
}

/** The connection, or the problems as people see them. Reads /k/config unless told otherwise. */
export async function readKubeconfigs(
  contents: Contents,
  request: Partial<ConnectionRequest> = {},
): Promise<ClusterConnection | readonly string[]> {
  const files = filesOf(contents);
  const result = await readConnection({ environment: {}, files, kubeconfig: '/k/config', ...request });
  return result.kind === 'ok' ? result.value : result.error.map(formatProblem);
}

export function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

function filesOf(contents: Contents): Files {
  return {
    async read(path) {
      const content = contents[path];
      if (content === undefined) return err({ kind: 'missing', message: `${path} is missing` });
      return ok(typeof content === 'string' ? content : JSON.stringify(content));
    },
  };
}
