// Who we are to the API server, and the port that says so. Implementations never log a secret, and never fall back to
// being nobody when they cannot tell who they are.

import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { err, ok, type Result } from '../base/result.ts';
import type { Commands, Environment, Files } from './host-ports.ts';

export type CertificatePair = { readonly certificate: string; readonly key: string };

export type Identity = {
  /** The Authorization header; null for none. */
  readonly authorization: string | null;
  readonly certificate: CertificatePair | null;
};

export interface Credentials {
  /** Who we are now; touches files and commands only when what is known is too old. The error is a sentence. */
  current(): Promise<Result<Identity, string>>;
  /** The server did not accept this one: if it is still the one we have, the next `current` looks again. */
  refused(identity: Identity): void;
}

export type CredentialWorld = {
  readonly clock: Clock;
  readonly log: Log;
  readonly files: Files;
  readonly commands: Commands;
  /** What a command inherits. */
  readonly environment: Environment;
  /** True when a person sits at a terminal that a login command may use. */
  readonly isInteractive: boolean;
};

export function isSameIdentity(a: Identity, b: Identity): boolean {
  return a.authorization === b.authorization && isSamePair(a.certificate, b.certificate);
}

export function isSamePair(a: CertificatePair | null, b: CertificatePair | null): boolean {
  return a?.certificate === b?.certificate && a?.key === b?.key;
}

/** A token that cannot stand in a header would break every request in a way that nobody understands. */
export function bearer(token: string): Result<string, string> {
  if (token === '') return err('the token is empty');
  return /^[\x21-\x7e]+$/.test(token)
    ? ok(`Bearer ${token}`)
    : err('the token holds characters that no token has');
}
