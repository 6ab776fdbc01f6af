import { describe, expect, it } from 'vitest';
import { isEnd, stillbirthOf } from './worker-stillbirth.ts';
import { projectWorker, type WorkerView } from './worker-view.ts';

describe('a worker that does not come to run', () => {
  const bornAt = Date.parse('2026-11-01T00:00:00Z');
  const born = (status: object): WorkerView =>
    projectWorker(
      { metadata: { name: 'worker', creationTimestamp: '2026-11-01T00:00:00Z' }, status },
      (text) => text,
    );
  const waits = (reason: string) =>
    born({ phase: 'Pending', containerStatuses: [{ name: 'worker', state: { waiting: { reason } } }] });
  const unschedulable = born({
    phase: 'Pending',
    conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: 'no room' }],
  });

  it.each([
    ['its image cannot be pulled', waits('ImagePullBackOff'), 30, 'WorkerImageUnavailable'],
    ['its image cannot be pulled the first time', waits('ErrImagePull'), 30, 'WorkerImageUnavailable'],
    ['its container cannot be made', waits('CreateContainerConfigError'), 30, 'WorkerImageUnavailable'],
    ['no room is found for it', unschedulable, 60, 'WorkerUnschedulable'],
    ['its container is still being made', waits('ContainerCreating'), 180, 'WorkerTimedOut'],
    ['nothing is heard of it', born({}), 180, 'WorkerTimedOut'],
  ] as const)('because %s says nothing about the node, after a time', (_, worker, seconds, reason) => {
    const before = stillbirthOf(worker, bornAt + seconds * 1000 - 1);
    expect(before).toEqual({ recheckAt: bornAt + seconds * 1000 });
    const after = stillbirthOf(worker, bornAt + seconds * 1000);
    expect(isEnd(after) && after).toMatchObject({ verdict: 'inconclusive', reason });
  });
});
