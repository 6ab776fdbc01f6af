import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { createAuthority, issue } from './certificates.ts';

const authority = createAuthority('test-authority');
const root = new X509Certificate(authority.certificate);

describe('a certificate authority', () => {
  it('signs itself and may sign others', () => {
    expect(root.ca).toBe(true);
    expect(root.verify(root.publicKey)).toBe(true);
    expect(root.subject).toBe('CN=test-authority');
  });

  it('issues a serving certificate for its hosts and no others', () => {
    const hosts = ['localhost', '127.0.0.1'];
    const serving = new X509Certificate(
      issue(authority, { kind: 'serving', commonName: 'server', hosts }).certificate,
    );
    expect(serving.verify(root.publicKey)).toBe(true);
    expect(serving.checkIssued(root)).toBe(true);
    expect(serving.ca).toBe(false);
    expect(serving.checkHost('localhost')).toBe('localhost');
    expect(serving.checkIP('127.0.0.1')).toBe('127.0.0.1');
    expect(serving.checkIP('127.0.0.2')).toBeUndefined();
    expect(serving.checkHost('elsewhere')).toBeUndefined();
  });

  it('issues a client certificate whose groups are its organizations', () => {
    const organizations = ['system:masters', 'testers'];
    const { certificate } = issue(authority, { kind: 'client', commonName: 'admin', organizations });
    const client = new X509Certificate(certificate);
    expect(client.subject).toBe('O=system:masters\nO=testers\nCN=admin');
    expect(client.keyUsage).toEqual(['1.3.6.1.5.5.7.3.2']);
    expect(client.validFromDate.getTime()).toBeLessThan(Date.now());
    expect(client.validToDate.getTime()).toBeGreaterThan(Date.now());
  });

  it('gives every certificate its own serial number', () => {
    const request = { kind: 'client', commonName: 'a', organizations: [] } as const;
    const serials = [1, 2, 3].map(
      () => new X509Certificate(issue(authority, request).certificate).serialNumber,
    );
    expect(new Set(serials).size).toBe(3);
  });

  it('is trusted by both ends of a TLS connection', async () => {
    const serving = issue(authority, { kind: 'serving', commonName: 'server', hosts: ['127.0.0.1'] });
    const client = issue(authority, { kind: 'client', commonName: 'someone', organizations: [] });
    const trust = { ca: authority.certificate, requestCert: true, rejectUnauthorized: true };
    const server = createServer({ ...trust, key: serving.key, cert: serving.certificate });
    server.on('secureConnection', (socket) => socket.end(String(socket.getPeerCertificate().subject.CN)));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    const socket = connect({ ...trust, host: '127.0.0.1', port, key: client.key, cert: client.certificate });
    const [greeting] = await once(socket, 'data');
    expect(String(greeting)).toBe('someone');
    server.close();
  });
});
