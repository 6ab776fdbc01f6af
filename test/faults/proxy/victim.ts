// An operator process that faults may kill, stop and resume: each death is followed by a new life, as a kubelet would see to it.

import type { ControlPlane } from '../../control-plane/control-plane.ts';
import { type OperatorProcess, startOperator } from '../../support/operator-process.ts';
import type { Victim } from './fault-proxy.ts';

export type OperatorVictim = Victim & {
  /** Begins the first life, on a kubeconfig that leads through the proxy. */
  begin(kubeconfig: string): void;
  /** Ends the last life for good. */
  end(): Promise<void>;
};

export function operatorVictim(plane: ControlPlane, flags: readonly string[] = []): OperatorVictim {
  let kubeconfig = '';
  let life = 0;
  let operator: OperatorProcess | null = null;
  let isOver = false;
  const timers = new Set<NodeJS.Timeout>();
  const later = (ms: number, run: () => void) => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      run();
    }, ms);
    timers.add(timer);
  };
  const live = () => {
    if (isOver) return;
    life++;
    operator = startOperator(kubeconfig, ['--no-leader-elect', ...flags]);
  };
  return {
    instance: () => `a#${life}`,
    begin(path) {
      kubeconfig = path;
      live();
    },
    crash(restartAfterMs) {
      operator?.signal('SIGKILL');
      later(restartAfterMs, live);
    },
    pause(ms) {
      const paused = operator;
      paused?.signal('SIGSTOP');
      later(ms, () => paused?.signal('SIGCONT'));
    },
    async touch(path) {
      for (const value of ['1', null]) {
        await plane.request('PATCH', path.replace(/\/status$/, ''), {
          body: { metadata: { annotations: { 'other.io/touched': value } } },
        });
      }
    },
    async end() {
      isOver = true;
      for (const timer of timers) clearTimeout(timer);
      operator?.signal('SIGCONT');
      await operator?.stop();
    },
  };
}
