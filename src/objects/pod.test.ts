import { describe, expect, it } from 'vitest';
import { projectPod } from './pod.ts';

const same = (value: string) => value;

describe('what is kept of a pod', () => {
  it('is where it runs, how far it has come and how its containers ended', () => {
    const pod = projectPod(
      {
        metadata: {
          name: 'p',
          namespace: 'n',
          uid: 'u',
          resourceVersion: '1',
          ownerReferences: [{ uid: 'o' }],
        },
        spec: { nodeName: 'node-a' },
        status: {
          phase: 'Failed',
          reason: 'Evicted',
          conditions: [{ type: 'Ready', status: 'False' }],
          containerStatuses: [
            { name: 'c', state: { terminated: { exitCode: 137, reason: 'OOMKilled', message: 'm' } } },
          ],
        },
      },
      same,
    );
    expect(pod).toMatchObject({
      name: 'p',
      nodeName: 'node-a',
      phase: 'Failed',
      reason: 'Evicted',
      isReady: false,
      ownerUIDs: ['o'],
    });
    expect(pod.ends).toEqual([{ container: 'c', exitCode: 137, reason: 'OOMKilled', message: 'm' }]);
  });

  it('names why a container waits, an init container first', () => {
    const waiting = (reason: string) => [{ name: 'c', state: { waiting: { reason } } }];
    const status = {
      phase: 'Pending',
      initContainerStatuses: waiting('ImagePullBackOff'),
      containerStatuses: waiting('PodInitializing'),
    };
    expect(projectPod({ status }, same)).toMatchObject({
      phase: 'Pending',
      waitingReason: 'ImagePullBackOff',
      ends: [],
    });
  });

  it.each([
    ['nothing at all', '{}'],
    [
      'null where there is usually more',
      '{"metadata":{"labels":null,"ownerReferences":null},"spec":null,"status":null}',
    ],
    ['other types than promised', '{"metadata":{"ownerReferences":["x"]},"spec":[],"status":"x"}'],
  ])('is empty, never missing, of a pod with %s', (_, text) => {
    expect(projectPod(JSON.parse(text), same)).toMatchObject({
      labels: {},
      ownerUIDs: [],
      nodeName: '',
      ends: [],
    });
  });

  it('survives what is not a pod', () => {
    expect(projectPod({ status: { phase: 7, containerStatuses: ['x', null] } }, same)).toMatchObject({
      phase: 'Unknown',
      ends: [],
    });
  });
});
