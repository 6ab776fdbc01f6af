// What every process of ours has of the machine it runs on. Connects to nothing, so that a worker can have it without loading
// a protocol that it does not speak.

import { systemClock } from '../base/clock.ts';
import { systemRandom } from '../base/random.ts';
import { nodeCommands, nodeFiles } from '../kube/host-ports.ts';

export const processPorts = {
  clock: systemClock,
  random: systemRandom,
  files: nodeFiles,
  commands: nodeCommands,
  environment: process.env,
} as const;
