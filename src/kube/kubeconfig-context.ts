// From a merged kubeconfig and a context to a connection: the rules of kubectl about what belongs together, checked
// for the chosen cluster and user. What we cannot honour is refused, never ignored.

import type { Problem } from '../base/result.ts';
import type { ClusterAddress, ClusterConnection, PluginCluster } from './cluster-connection.ts';
import { Fields } from './fields.ts';
import type { Entry, Kubeconfig } from './kubeconfig-file.ts';
import { pemOf, readUser } from './kubeconfig-user.ts';

const PLUGIN_EXTENSION = 'client.authentication.k8s.io/exec';

/** Null when there is no such context or cluster; `problems` then says so. */
export function connectionOf(
  config: Kubeconfig,
  contextName: string,
  problems: Problem[],
): ClusterConnection | null {
  const context = config.contexts.get(contextName);
  if (context === undefined) {
    problems.push({ path: '', message: missingContext(config, contextName) });
    return null;
  }
  const clusterName = context.fields.requiredText('cluster');
  const userName = context.fields.text('user');
  const cluster = config.clusters.get(clusterName);
  const user = config.users.get(userName);
  if (cluster === undefined && clusterName !== '') {
    context.fields.refuse('cluster', `there is no cluster ${JSON.stringify(clusterName)}`);
  }
  if (user === undefined && userName !== '') {
    context.fields.refuse('user', `there is no user ${JSON.stringify(userName)}`);
  }
  if (cluster === undefined) return null;
  const address = readCluster(cluster);
  const credentials = readUser(user ?? nobody(problems), pluginClusterOf(cluster, address));
  return { ...address, credentials, namespace: context.fields.text('namespace') || 'default' };
}

function missingContext(config: Kubeconfig, name: string): string {
  const names = [...config.contexts.keys()].sort().join(', ') || 'none';
  const wanted = name === '' ? 'no context is chosen' : `there is no context ${JSON.stringify(name)}`;
  return `${wanted}; there are: ${names}`;
}

/** The extension of this name is meant for credential commands; the others are for nobody we know. */
function pluginClusterOf({ fields }: Entry, address: ClusterAddress): PluginCluster {
  const extension = fields.records('extensions').find((entry) => entry.text('name') === PLUGIN_EXTENSION);
  return { ...address, config: extension?.raw('extension') ?? null };
}

function nobody(problems: Problem[]): Entry {
  return { fields: new Fields({}, { file: '', path: '' }, problems), dir: '' };
}

function readCluster(entry: Entry): ClusterAddress {
  const { fields } = entry;
  const ca = pemOf(entry, 'certificate-authority');
  const insecureSkipTlsVerify = fields.isTrue('insecure-skip-tls-verify');
  if (insecureSkipTlsVerify && ca !== null) {
    fields.refuse('insecure-skip-tls-verify', 'cannot be combined with a certificate authority');
  }
  return {
    server: readServer(fields),
    ca,
    insecureSkipTlsVerify,
    tlsServerName: fields.text('tls-server-name') || null,
    proxyUrl: readProxy(fields),
  };
}

function readServer(fields: Fields): string {
  const text = fields.requiredText('server');
  // kubectl takes a bare host, for plain HTTP.
  const server = text === '' || /^[a-z]+:\/\//i.test(text) ? text : `http://${text}`;
  if (server !== '' && !isUrlOf(server, ['http:', 'https:']))
    fields.refuse('server', 'must be an http or https URL');
  return server;
}

function readProxy(fields: Fields): string | null {
  const proxy = fields.text('proxy-url');
  if (proxy === '') return null;
  if (!isUrlOf(proxy, ['http:'])) {
    fields.refuse('proxy-url', 'must be an http URL; other proxies are not supported');
  }
  return proxy;
}

function isUrlOf(text: string, protocols: readonly string[]): boolean {
  return URL.canParse(text) && protocols.includes(new URL(text).protocol);
}
