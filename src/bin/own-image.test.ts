import { describe, expect, it } from 'vitest';
import { ownImage, podEnvironment } from './own-image.ts';

describe('what a process of a pod inherits', () => {
  it.each([
    ['http://127.0.0.1:8001', '127.0.0.1', '8001'],
    ['https://[::1]:6443/prefix', '::1', '6443'],
    ['https://10.0.0.1', '10.0.0.1', '443'],
  ])('names the API server %s as a kubelet would', (server, host, port) => {
    expect(podEnvironment('the-file', server)).toMatchObject({
      KUBECONFIG: 'the-file',
      KUBERNETES_SERVICE_HOST: host,
      KUBERNETES_SERVICE_PORT: port,
    });
  });

  it('names no API server whose address is not known', () => {
    expect(podEnvironment('the-file', 'https://cluster.example')).not.toHaveProperty(
      'KUBERNETES_SERVICE_HOST',
    );
  });
});

describe('the images of this build', () => {
  const resolve = ownImage(import.meta.filename);

  it.each([
    'muster',
    'muster:latest',
    'registry.example/team/muster:0.1.0',
    'localhost:5000/muster@sha256:abc',
  ])('%s is one', (image) => expect(resolve(image)?.argv).toEqual([process.execPath, import.meta.filename]));

  it.each(['nginx', 'muster-worker', 'muster/other:1', ''])('%j is none', (image) => {
    expect(resolve(image)).toBeNull();
  });
});
