// The planted bugs, by the part that they are planted in. A bug that was found is planted here, so that it is found again.

import { brakeMutants } from './mutants/brake.ts';
import { cacheMutants } from './mutants/cache.ts';
import { leaseMutants } from './mutants/lease.ts';
import type { Mutant } from './mutants/mutant.ts';
import { queueMutants } from './mutants/queue.ts';
import { readinessMutants } from './mutants/readiness.ts';
import { recordMutants } from './mutants/record.ts';
import { reflectorMutants } from './mutants/reflector.ts';
import { verificationMutants } from './mutants/verification.ts';
import { writeMutants } from './mutants/writes.ts';

export const mutants: readonly Mutant[] = [
  ...writeMutants,
  ...recordMutants,
  ...cacheMutants,
  ...reflectorMutants,
  ...queueMutants,
  ...leaseMutants,
  ...readinessMutants,
  ...verificationMutants,
  ...brakeMutants,
];
