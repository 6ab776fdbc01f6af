// Cleans up after a test process that died, however it died: a shell that holds one end of a pipe and, when the other
// end closes, kills the processes it was told of and removes the data directory. One road for exit, Ctrl-C and SIGKILL.

import { spawn } from 'node:child_process';
import { once } from 'node:events';

export type Watchdog = {
  readonly guard: (pid: number) => void;
  /** To be called as soon as the process is gone, since the kernel may give its pid to a stranger. */
  readonly forget: (pid: number) => void;
  /** Removes the directory and whatever is still guarded. */
  readonly finish: () => Promise<void>;
};

const script = `
trap '' INT TERM HUP
pids=' '
while read -r action pid; do
  case $action in
    guard) pids="$pids$pid " ;;
    forget) pids="\${pids%% $pid *} \${pids#* $pid }" ;;
  esac
done
for pid in $pids; do kill -9 "$pid"; done
# A killed process may write for a moment longer, so one removal can find the directory not empty.
for attempt in 1 2 3 4 5 6 7 8 9 10; do rm -rf "$1" && break; sleep 0.1; done
`;

export function startWatchdog(dir: string): Watchdog {
  // Detached, so that a Ctrl-C meant for the test process does not reach it first.
  const child = spawn('sh', ['-c', script, 'muster-watchdog', dir], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const closed = once(child, 'close');
  return {
    guard: (pid) => void child.stdin.write(`guard ${pid}\n`),
    forget: (pid) => void child.stdin.write(`forget ${pid}\n`),
    finish: async () => {
      child.stdin.end();
      await closed;
    },
  };
}
