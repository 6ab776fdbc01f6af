// What people are told about the simulated world: one line per thing that happened.

import type { Instant } from '../base/clock.ts';

export type Happening = {
  readonly at: Instant;
  /** The stage that caused it. */
  readonly stage: string;
  /** `Node general-03`, `Pod default/web-1`. */
  readonly subject: string;
};

export type TellHappening = (happening: Happening) => void;
