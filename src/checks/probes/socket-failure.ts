// What an error of a socket says about the node. Errors of the machine itself say nothing.

import type { Code } from '../codes.ts';
import { fail, inconclusive, type Outcome } from '../outcome.ts';

const blamed: Readonly<Record<string, Code>> = {
  ECONNREFUSED: 'Refused',
  ECONNRESET: 'Reset',
  EPIPE: 'Reset',
  ECONNABORTED: 'Reset',
  ETIMEDOUT: 'Timeout',
  EHOSTUNREACH: 'Unreachable',
  ENETUNREACH: 'Unreachable',
  EHOSTDOWN: 'Unreachable',
  ENETDOWN: 'Unreachable',
  CERT_HAS_EXPIRED: 'CertificateExpired',
  CERT_NOT_YET_VALID: 'CertificateTooEarly',
  CERT_SIGNATURE_FAILURE: 'CertificateRefused',
  CERT_UNTRUSTED: 'CertificateRefused',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'CertificateRefused',
  SELF_SIGNED_CERT_IN_CHAIN: 'CertificateRefused',
  UNABLE_TO_GET_ISSUER_CERT: 'CertificateRefused',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'CertificateRefused',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'CertificateRefused',
  ERR_TLS_CERT_ALTNAME_INVALID: 'CertificateRefused',
  EPROTO: 'TlsFailed',
};

export function socketFailure(error: unknown, what: string): Outcome {
  const code = codeOf(error);
  const message = `${what}: ${error instanceof Error ? error.message : String(error)}`;
  const blame = Object.hasOwn(blamed, code) ? blamed[code] : familyOf(code);
  return blame === undefined ? inconclusive('LocalError', message) : fail(blame, message);
}

export function codeOf(error: unknown): string {
  const code: unknown = error instanceof Error && 'code' in error ? error.code : '';
  return typeof code === 'string' ? code : '';
}

function familyOf(code: string): Code | undefined {
  if (code.startsWith('HPE_')) return 'BadAnswer';
  return code.startsWith('ERR_SSL_') || code.startsWith('ERR_TLS_') ? 'TlsFailed' : undefined;
}
