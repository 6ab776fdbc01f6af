// The conditions of a generated Node: four of the kubelet, which posts them every few minutes, and those of a problem detector.

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

const ofDetector: readonly Wording[] = [
  { type: 'KernelDeadlock', reason: 'KernelHasNoDeadlock', message: 'kernel has no deadlock' },
  { type: 'ReadonlyFilesystem', reason: 'FilesystemIsNotReadOnly', message: 'Filesystem is not read-only' },
  {
    type: 'FrequentContainerdRestart',
    reason: 'NoFrequentContainerdRestart',
    message: 'containerd is functioning properly',
  },
];

export function problemConditions(draw: Draw) {
  return ofDetector.map((wording) => ({ ...healthy(wording, draw), status: 'False' }));
}

export function heartbeatConditions(draw: Draw) {
  const pressures = ofKubelet.map((wording) => ({ ...healthy(wording, draw), status: 'False' }));
  const ready = {
    type: 'Ready',
    reason: 'KubeletReady',
    message: 'kubelet is posting ready status',
  };
  return [...pressures, { ...healthy(ready, draw), status: draw.isOnceIn(100) ? 'False' : 'True' }];
}

function healthy(wording: Wording, draw: Draw) {
  return { ...wording, lastHeartbeatTime: '2026-10-01T12:00:00Z', lastTransitionTime: draw.time() };
}
