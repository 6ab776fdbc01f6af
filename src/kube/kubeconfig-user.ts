// The user of a kubeconfig: certificates, tokens and credential commands. What would act with other rights than the
// user asked for, such as impersonation, is refused.

import path from 'node:path';
import {
  type ClientCertificate,
  type CredentialSource,
  type ExecPlugin,
  execApiVersions,
  execInteractiveModes,
  type PluginCluster,
  type TokenSource,
} from './cluster-connection.ts';
import { bearer } from './identity.ts';
import type { Entry } from './kubeconfig-file.ts';
import type { Pem } from './pem.ts';

export function readUser(user: Entry, cluster: PluginCluster): CredentialSource {
  for (const [field, message] of unsupported) if (user.fields.has(field)) user.fields.refuse(field, message);
  return { certificate: readCertificate(user), token: readToken(user, cluster) };
}

/** A field that names a file, or its twin `...-data` that holds the content. */
export function pemOf(entry: Entry, field: string): Pem | null {
  const { fields } = entry;
  const file = fields.text(field);
  const content = fields.base64(`${field}-data`);
  if (file !== '' && content !== '') fields.refuse(field, `cannot be combined with ${field}-data`);
  if (content !== '') return { kind: 'inline', text: content };
  return file === '' ? null : { kind: 'file', path: path.resolve(entry.dir, file) };
}

const impersonation = 'impersonation is not supported; use the credentials of that user';
const basicAuth = 'basic authentication is not supported; no API server has it any more';
const unsupported: readonly (readonly [string, string])[] = [
  ['username', basicAuth],
  ['password', basicAuth],
  ['auth-provider', 'auth providers are not supported; use exec'],
  ['as', impersonation],
  ['as-uid', impersonation],
  ['as-groups', impersonation],
  ['as-user-extra', impersonation],
];

function readCertificate(user: Entry): ClientCertificate | null {
  const certificate = pemOf(user, 'client-certificate');
  const key = pemOf(user, 'client-key');
  if (certificate !== null && key === null) user.fields.refuse('client-key', 'is missing');
  if (key !== null && certificate === null) user.fields.refuse('client-certificate', 'is missing');
  return certificate === null || key === null ? null : { certificate, key };
}

/** As for kubectl: a file goes before a token, and a token before a command. */
function readToken(user: Entry, cluster: PluginCluster): TokenSource {
  const { fields } = user;
  const tokenFile = fields.text('tokenFile');
  const token = fields.text('token');
  const plugin = fields.has('exec') ? readExec(user, cluster) : null;
  if (tokenFile !== '') return { kind: 'tokenFile', path: path.resolve(user.dir, tokenFile) };
  if (token !== '') {
    const checked = bearer(token);
    if (checked.kind === 'error') fields.refuse('token', checked.error);
    return { kind: 'token', token };
  }
  return plugin === null ? { kind: 'none' } : { kind: 'exec', plugin };
}

function readExec({ fields, dir }: Entry, cluster: PluginCluster): ExecPlugin {
  const exec = fields.record('exec');
  const command = exec.requiredText('command');
  exec.requiredText('apiVersion');
  const apiVersion = exec.oneOf('apiVersion', execApiVersions) ?? execApiVersions[0];
  const mode = exec.oneOf('interactiveMode', execInteractiveModes);
  if (apiVersion === execApiVersions[0] && !exec.has('interactiveMode'))
    exec.refuse('interactiveMode', 'is missing');
  const env = exec.records('env').map((entry) => [entry.requiredText('name'), entry.text('value')] as const);
  return {
    // A bare name is looked up on the PATH; anything else is a file beside the kubeconfig.
    command: command.includes(path.sep) ? path.resolve(dir, command) : command,
    args: exec.texts('args'),
    env: Object.fromEntries(env),
    apiVersion,
    interactiveMode: mode ?? 'IfAvailable',
    installHint: exec.text('installHint'),
    cluster: exec.isTrue('provideClusterInfo') ? cluster : null,
  };
}
