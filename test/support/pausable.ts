// A process that can be stopped in the middle of anything, as SIGSTOP does: its timers and the replies to its requests wait
// until it goes on, while time and the server do not. For tests only.

import type { Clock } from '../../src/base/clock.ts';
import type { KubeApi } from '../../src/runtime/ports.ts';

export type Pausable = { readonly clock: Clock; readonly api: KubeApi; pause(): void; resume(): void };

export function pausable(clock: Clock, api: KubeApi): Pausable {
  let held: (() => void)[] | null = null;
  const whenRunning = (run: () => void) => {
    if (held) held.push(run);
    else run();
  };
  const delivered = async <T>(reply: Promise<T>): Promise<T> => {
    const value = await reply;
    return new Promise((resolve) => whenRunning(() => resolve(value)));
  };
  return {
    clock: {
      ...clock,
      after(delayMs, run) {
        let isCancelled = false;
        const cancel = clock.after(delayMs, () =>
          whenRunning(() => {
            if (!isCancelled) run();
          }),
        );
        return () => {
          isCancelled = true;
          cancel();
        };
      },
    },
    api: {
      ...api,
      get: (...call) => delivered(api.get(...call)),
      create: (...call) => delivered(api.create(...call)),
      replace: (...call) => delivered(api.replace(...call)),
    },
    pause() {
      held ??= [];
    },
    resume() {
      const due = held ?? [];
      held = null;
      for (const run of due) run();
    },
  };
}
