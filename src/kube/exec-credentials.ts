// Credentials from a command of the user's (client.authentication.k8s.io v1 and v1beta1), as cloud logins work. The
// command runs when there is no credential, when the one we have expired, and after a refusal; never more often.

import { deadline, type Instant } from '../base/clock.ts';
import { err, ok, type Result } from '../base/result.ts';
import { parseTime } from '../base/timestamp.ts';
import { fieldsOf, isRecord, textOf } from '../objects/raw.ts';
import type { ExecPlugin, PluginCluster } from './cluster-connection.ts';
import type { CommandOutcome, Files } from './host-ports.ts';
import {
  bearer,
  type CertificatePair,
  type Credentials,
  type CredentialWorld,
  type Identity,
} from './identity.ts';
import { readPem } from './pem.ts';

/** A login may wait for a person. */
const RUN_TIMEOUT_MS = 120_000;
/** However often it fails, is refused or expires at once: a command is not run again before this. */
const RERUN_AFTER_MS = 10_000;
const STDERR_CHARACTERS_MAX = 500;

type Credential = { readonly identity: Identity; readonly expiresAt: Instant | null };

export function createExecCredentials(plugin: ExecPlugin, world: CredentialWorld): Credentials {
  return new ExecCredentials(plugin, world);
}

class ExecCredentials implements Credentials {
  readonly #plugin: ExecPlugin;
  readonly #world: CredentialWorld;
  #last: Result<Credential, string> | null = null;
  #ranAtMs = 0;
  #isRefused = false;
  #running: Promise<Result<Identity, string>> | null = null;

  constructor(plugin: ExecPlugin, world: CredentialWorld) {
    this.#plugin = plugin;
    this.#world = world;
  }

  current(): Promise<Result<Identity, string>> {
    if (this.#last !== null && !this.#isDue(this.#last)) return Promise.resolve(identityOf(this.#last));
    this.#running ??= this.#run();
    return this.#running;
  }

  refused({ authorization }: Identity): void {
    const isCurrent = this.#last?.kind === 'ok' && this.#last.value.identity.authorization === authorization;
    this.#isRefused ||= isCurrent;
  }

  #isDue(last: Result<Credential, string>): boolean {
    const { clock } = this.#world;
    const isExpired =
      last.kind === 'ok' && last.value.expiresAt !== null && clock.now() >= last.value.expiresAt;
    if (last.kind === 'ok' && !isExpired && !this.#isRefused) return false;
    return clock.monotonicMs() - this.#ranAtMs >= RERUN_AFTER_MS;
  }

  async #run(): Promise<Result<Identity, string>> {
    const last = await runPlugin(this.#plugin, this.#world);
    this.#last = last;
    this.#ranAtMs = this.#world.clock.monotonicMs();
    this.#isRefused = false;
    this.#running = null;
    return identityOf(last);
  }
}

function identityOf(last: Result<Credential, string>): Result<Identity, string> {
  return last.kind === 'ok' ? ok(last.value.identity) : last;
}

async function runPlugin(plugin: ExecPlugin, world: CredentialWorld): Promise<Result<Credential, string>> {
  const isInteractive = world.isInteractive && plugin.interactiveMode !== 'Never';
  if (plugin.interactiveMode === 'Always' && !isInteractive) {
    return err(`the credential command ${plugin.command} needs a terminal, and there is none`);
  }
  const cluster =
    plugin.cluster === null ? ok(undefined) : await describeCluster(plugin.cluster, world.files);
  if (cluster.kind === 'error') return cluster;
  const spec = { cluster: cluster.value, interactive: isInteractive };
  const request = { apiVersion: plugin.apiVersion, kind: 'ExecCredential', spec };
  const limit = deadline(world.clock, RUN_TIMEOUT_MS);
  const outcome = await world.commands.run(
    {
      command: plugin.command,
      args: plugin.args,
      env: { ...defined(world.environment), ...plugin.env, KUBERNETES_EXEC_INFO: JSON.stringify(request) },
      terminal: isInteractive ? 'inherit' : 'none',
    },
    limit.signal,
  );
  limit.done();
  return outputOf(plugin, outcome);
}

/** In the field names of the protocol; JSON leaves out what is undefined. */
async function describeCluster(cluster: PluginCluster, files: Files): Promise<Result<object, string>> {
  const ca = cluster.ca === null ? ok(null) : await readPem(cluster.ca, files);
  if (ca.kind === 'error') return err(`cannot read the certificate authority: ${ca.error}`);
  return ok({
    server: cluster.server,
    'tls-server-name': cluster.tlsServerName ?? undefined,
    'insecure-skip-tls-verify': cluster.insecureSkipTlsVerify || undefined,
    'certificate-authority-data': ca.value === null ? undefined : Buffer.from(ca.value).toString('base64'),
    'proxy-url': cluster.proxyUrl ?? undefined,
    config: cluster.config,
  });
}

function outputOf(plugin: ExecPlugin, outcome: CommandOutcome): Result<Credential, string> {
  const command = `the credential command ${plugin.command}`;
  if (outcome.kind === 'missing') {
    return err(
      `${command} is not installed${plugin.installHint === '' ? '' : `. ${plugin.installHint.trim()}`}`,
    );
  }
  if (outcome.kind === 'failed') return err(`${command} could not be run: ${outcome.message}`);
  if (outcome.code !== 0) {
    const said = outcome.stderr.trim().slice(-STDERR_CHARACTERS_MAX);
    return err(`${command} exited with ${outcome.code ?? 'a signal'}${said === '' ? '' : `: ${said}`}`);
  }
  const credential = parseCredential(outcome.stdout, plugin.apiVersion);
  return credential.kind === 'ok' ? credential : err(`${command} printed no credential: ${credential.error}`);
}

function parseCredential(stdout: string, apiVersion: string): Result<Credential, string> {
  const parsed = parseJson(stdout);
  if (!isRecord(parsed) || parsed['kind'] !== 'ExecCredential')
    return err('its output is not an ExecCredential');
  if (parsed['apiVersion'] !== apiVersion) {
    return err(`it speaks ${textOf(parsed['apiVersion']) || 'no version'}, but ${apiVersion} was asked for`);
  }
  const status = fieldsOf(parsed['status']);
  const identity = identityIn(status);
  if (identity.kind === 'error') return identity;
  return ok({ identity: identity.value, expiresAt: parseTime(textOf(status['expirationTimestamp'])) });
}

function identityIn(status: Readonly<Record<string, unknown>>): Result<Identity, string> {
  const token = textOf(status['token']);
  const certificate = pairIn(status);
  if (certificate.kind === 'error') return certificate;
  if (token === '' && certificate.value === null) return err('it holds neither a token nor a certificate');
  if (token === '') return ok({ authorization: null, certificate: certificate.value });
  const authorization = bearer(token);
  if (authorization.kind === 'error') return authorization;
  return ok({ authorization: authorization.value, certificate: certificate.value });
}

function pairIn(status: Readonly<Record<string, unknown>>): Result<CertificatePair | null, string> {
  const certificate = textOf(status['clientCertificateData']);
  const key = textOf(status['clientKeyData']);
  if ((certificate === '') !== (key === ''))
    return err('it holds only one half of a certificate and its key');
  return ok(certificate === '' ? null : { certificate, key });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function defined(environment: CredentialWorld['environment']): Readonly<Record<string, string>> {
  const entries = Object.entries(environment).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return Object.fromEntries(entries);
}
