// The conditions of a generated Node: four of the kubelet, which posts them every few minutes, and those of a problem detector.

import { formatTime } from '../../src/base/timestamp.ts';
import type { Draw } from './draw.ts';

type Wording = { readonly type: string; readonly reason: string; readonly message: string };

const ofKubelet: readonly Wording[] = [
  {
    type: 'MemoryPressure',
    reason: 'KubeletHasSufficientMemory',
    message: 'kubelet has sufficient memory available',
  },
  { type: 'DiskPressure', reason: 'KubeletHasNoDiskPressure', message: 'kubelet has no disk pressure' },
  { type: 'PIDPressure', reason: 'KubeletHasSufficientPID', message: 'kubelet has sufficient PID available' },
];

const ready = { type: 'Ready', reason: 'KubeletReady', message: 'kubelet is posting ready status' };
const unready = { type: 'Ready', reason: 'KubeletNotReady', message: 'container runtime network not ready' };

const ofDetector: readonly Wording[] = [
  { type: 'KernelDeadlock', reason: 'KernelHasNoDeadlock', message: 'kernel has no deadlock' },
  { type: 'ReadonlyFilesystem', reason: 'FilesystemIsNotReadOnly', message: 'Filesystem is not read-only' },
  {
    type: 'FrequentContainerdRestart',
    reason: 'NoFrequentContainerdRestart',
    message: 'containerd is functioning properly',
  },
];

/** Most conditions never change after the node joined, so they carry one time; a detector starts a little later. */
export function conditionsOf(draw: Draw, joinedMs: number) {
  const detectorMs = joinedMs + 1_000 * (30 + draw.below(60));
  const readyMs = draw.isOnceIn(20)
    ? joinedMs + 1_000 * draw.below(3_000_000)
    : joinedMs + 1_000 * draw.below(40);
  const isReady = !draw.isOnceIn(100);
  return [
    ...ofDetector.map((wording) => condition(wording, 'False', detectorMs)),
    ...ofKubelet.map((wording) => condition(wording, 'False', joinedMs)),
    isReady ? condition(ready, 'True', readyMs) : condition(unready, 'False', readyMs),
  ];
}

function condition(wording: Wording, status: string, changedMs: number) {
  const lastTransitionTime = formatTime(changedMs);
  return { ...wording, status, lastHeartbeatTime: '2026-10-01T12:00:00Z', lastTransitionTime };
}
