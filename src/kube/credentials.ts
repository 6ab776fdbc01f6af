// Makes credentials from what a kubeconfig names: none, a token, a token file, a client certificate or a command. Files
// are read again as they rotate.

import { unreachable } from '../base/assert.ts';
import { err, ok, type Result } from '../base/result.ts';
import type { ClientCertificate, CredentialSource } from './cluster-connection.ts';
import { createExecCredentials } from './exec-credentials.ts';
import { FreshValue } from './fresh-value.ts';
import {
  bearer,
  type CertificatePair,
  type Credentials,
  type CredentialWorld,
  type Identity,
} from './identity.ts';
import { readPem } from './pem.ts';

/** Kubelets rotate a projected token well before it expires; a minute is soon enough. */
export const FILE_AGE_MS_MAX = 60_000;

export function createCredentials(source: CredentialSource, world: CredentialWorld): Credentials {
  const token = tokenOf(source, world);
  const pair = source.certificate === null ? null : pairOf(source.certificate, world);
  return {
    async current() {
      const identity = await token.current();
      if (pair === null || identity.kind === 'error') return identity;
      const certificate = await pair.get();
      if (certificate.kind === 'error') return certificate;
      return ok({ ...identity.value, certificate: certificate.value });
    },
    refused(identity) {
      token.refused(identity);
      pair?.outdate();
    },
  };
}

function tokenOf({ token }: CredentialSource, world: CredentialWorld): Credentials {
  switch (token.kind) {
    case 'none':
      return unchanging(ok(null));
    case 'token':
      return unchanging(bearer(token.token));
    case 'tokenFile':
      return createFileToken(token.path, world);
    case 'exec':
      return createExecCredentials(token.plugin, world);
    default:
      return unreachable(token);
  }
}

function unchanging(authorization: Result<string | null, string>): Credentials {
  const identity =
    authorization.kind === 'ok'
      ? ok({ authorization: authorization.value, certificate: null })
      : authorization;
  return { current: () => Promise.resolve(identity), refused() {} };
}

function createFileToken(path: string, world: CredentialWorld): Credentials {
  const token = new FreshValue({
    ...world,
    ageMsMax: FILE_AGE_MS_MAX,
    what: `the token file ${path}`,
    async read(): Promise<Result<Identity, string>> {
      const content = await world.files.read(path);
      if (content.kind === 'error') return err(`cannot read the token: ${content.error.message}`);
      const authorization = bearer(content.value.trim());
      if (authorization.kind === 'error') return err(`${path}: ${authorization.error}`);
      return ok({ authorization: authorization.value, certificate: null });
    },
  });
  return { current: () => token.get(), refused: () => token.outdate() };
}

function pairOf(source: ClientCertificate, world: CredentialWorld): FreshValue<CertificatePair> {
  return new FreshValue({
    ...world,
    ageMsMax: FILE_AGE_MS_MAX,
    what: 'the client certificate',
    async read() {
      const certificate = await readPem(source.certificate, world.files);
      if (certificate.kind === 'error')
        return err(`cannot read the client certificate: ${certificate.error}`);
      const key = await readPem(source.key, world.files);
      if (key.kind === 'error') return err(`cannot read the key of the client certificate: ${key.error}`);
      return ok({ certificate: certificate.value, key: key.value });
    },
  });
}
