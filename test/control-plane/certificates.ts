// A certificate authority for one test run: serving and client certificates, all ECDSA P-256. Written over
// node:crypto because neither openssl nor Go may be there when KUBEBUILDER_ASSETS brings the servers. Not for production.

import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isIPv4 } from 'node:net';
import * as der from './der.ts';

export type KeyPair = { readonly certificate: string; readonly key: string };

export type Authority = KeyPair & { readonly name: string; readonly privateKey: KeyObject };

export type CertificateRequest =
  | { readonly kind: 'serving'; readonly commonName: string; readonly hosts: readonly string[] }
  | { readonly kind: 'client'; readonly commonName: string; readonly organizations: readonly string[] };

export type Validity = { readonly from: Date; readonly to: Date };

const oid = {
  ecdsaWithSha256: '1.2.840.10045.4.3.2',
  commonName: '2.5.4.3',
  organization: '2.5.4.10',
  keyUsage: '2.5.29.15',
  subjectAltName: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  extendedKeyUsage: '2.5.29.37',
  serverAuth: '1.3.6.1.5.5.7.3.1',
  clientAuth: '1.3.6.1.5.5.7.3.2',
};

const algorithm = der.sequence(der.objectId(oid.ecdsaWithSha256));
const dayMs = 86_400_000;

/** Yesterday to next year unless said otherwise, as for all that it issues. */
export function createAuthority(name: string, validity?: Validity): Authority {
  const { publicKey, privateKey } = newKeys();
  const extensions = [
    extension(oid.basicConstraints, der.sequence(der.boolean(true)), 'critical'),
    // Bits 5 and 6 of the flags: sign certificates, sign revocation lists.
    extension(oid.keyUsage, der.bitString(Buffer.from([0b0000_0110]), 1), 'critical'),
  ];
  const subject = distinguishedName(name, []);
  const body = { issuer: subject, subject, publicKey, extensions };
  const certificate = signed(validity === undefined ? body : { ...body, validity }, privateKey);
  return { name, certificate, key: pemKey(privateKey), privateKey };
}

export function issue(authority: Authority, request: CertificateRequest, validity?: Validity): KeyPair {
  const { publicKey, privateKey } = newKeys();
  const isServing = request.kind === 'serving';
  const purpose = isServing ? oid.serverAuth : oid.clientAuth;
  const extensions = [
    // Bit 0 of the flags: digital signature, all that an ECDSA handshake asks for.
    extension(oid.keyUsage, der.bitString(Buffer.from([0b1000_0000]), 7), 'critical'),
    extension(oid.extendedKeyUsage, der.sequence(der.objectId(purpose))),
    ...(isServing ? [extension(oid.subjectAltName, der.sequence(...request.hosts.map(generalName)))] : []),
  ];
  const subject = distinguishedName(request.commonName, isServing ? [] : request.organizations);
  const issuer = distinguishedName(authority.name, []);
  const body = { issuer, subject, publicKey, extensions, ...(validity === undefined ? {} : { validity }) };
  const certificate = signed(body, authority.privateKey);
  return { certificate, key: pemKey(privateKey) };
}

/** The key of service account tokens, in the one form (SEC1) from which the API server also takes the public half. */
export function createSigningKey(): string {
  return newKeys().privateKey.export({ type: 'sec1', format: 'pem' }).toString();
}

type Body = {
  readonly issuer: Buffer;
  readonly subject: Buffer;
  readonly publicKey: KeyObject;
  readonly extensions: readonly Buffer[];
  readonly validity?: Validity;
};

function signed(body: Body, signer: KeyObject): string {
  const now = Date.now();
  const version3 = der.explicit(0, der.integer(Buffer.from([2])));
  // Valid from yesterday on, so that clocks may disagree; long enough for any plane somebody leaves running.
  const usual = { from: new Date(now - dayMs), to: new Date(now + 365 * dayMs) };
  const { from, to } = body.validity ?? usual;
  const validity = der.sequence(der.utcTime(from), der.utcTime(to));
  const toBeSigned = der.sequence(
    version3,
    der.integer(randomBytes(16)),
    algorithm,
    body.issuer,
    validity,
    body.subject,
    body.publicKey.export({ type: 'spki', format: 'der' }),
    der.explicit(3, der.sequence(...body.extensions)),
  );
  const signature = der.bitString(sign('sha256', toBeSigned, signer));
  return pem('CERTIFICATE', der.sequence(toBeSigned, algorithm, signature));
}

function distinguishedName(commonName: string, organizations: readonly string[]): Buffer {
  const attribute = (id: string, text: string) =>
    der.set(der.sequence(der.objectId(id), der.utf8String(text)));
  return der.sequence(
    ...organizations.map((name) => attribute(oid.organization, name)),
    attribute(oid.commonName, commonName),
  );
}

function extension(id: string, value: Buffer, criticality: 'critical' | 'optional' = 'optional'): Buffer {
  const critical = criticality === 'critical' ? [der.boolean(true)] : [];
  return der.sequence(der.objectId(id), ...critical, der.octetString(value));
}

function generalName(host: string): Buffer {
  return isIPv4(host)
    ? der.implicit(7, Buffer.from(host.split('.').map(Number)))
    : der.implicit(2, Buffer.from(host, 'ascii'));
}

function newKeys(): { readonly publicKey: KeyObject; readonly privateKey: KeyObject } {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' });
}

function pemKey(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString();
}

function pem(label: string, content: Buffer): string {
  const lines = content.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}
