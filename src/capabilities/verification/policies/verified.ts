// A node that is verified, and stays so until something gives cause to look again.

import { parseTime } from '../../../base/timestamp.ts';
import { type Step } from '../scene.ts';
import { intervalEndOf } from './begin.ts';

export const nodeIsVerified: Step = (scene) => {
  const { record, now } = scene;
  if (record.state !== 'verified') return null;
  const dueAt = intervalEndOf(scene);
  const reason =
    record.reason === 'AlreadyVerified' || record.reason === 'Onboarded'
      ? record.reason
      : 'VerificationPassed';
  const move = {
    outcome: 'satisfied',
    reason,
    message: parseTime(record.verifiedAt) === null ? '' : `at ${record.verifiedAt}`,
  } as const;
  return dueAt === null || dueAt <= now ? move : { ...move, recheckAt: dueAt };
};
