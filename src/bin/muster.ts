// The one executable. It only chooses what to load, so that the operator never carries the command line's packages.

import { basename } from 'node:path';

async function run(): Promise<void> {
  try {
    // At once: an operator that lost its lease must not linger because some timer or socket of its own still waits.
    process.exit(await dispatch());
  } catch (error) {
    console.error(error);
    process.exit(1);
  }
}

const NODE_MAJOR_MIN = 24;

async function dispatch(): Promise<number> {
  if (Number(process.versions.node.split('.')[0]) < NODE_MAJOR_MIN) {
    console.error(
      `muster needs Node ${NODE_MAJOR_MIN} or newer, and this is ${process.version}; npm run muster uses the right one`,
    );
    return 2;
  }
  const [command = '', ...args] = givenCommand();
  // A process that was started over a channel belongs to who started it, and ends with it.
  process.once('disconnect', () => process.exit(1));
  if (command === 'worker') return (await import('./worker.ts')).runWorker(args);
  if (command === 'operator') return (await import('./operator.ts')).runOperator(args);
  if (command === 'sim') return (await import('./sim.ts')).runSim(args);
  if (command === 'up') return (await import('./up.ts')).runUp(args);
  if (command === 'reporter') return (await import('./reporter.ts')).runReporterCommand(args);
  if (command === 'rules' || command === 'explain' || command === 'nodes')
    return (await import('./views.ts')).runViewCommand(command, args);
  const code = await (await import('./commands.ts')).runCommand(process.argv);
  await printed();
  return code;
}

/** A pipe takes 64 KiB at a time, and the definitions are twice as long: an exit would cut off what has not been read yet. */
function printed(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  process.stdout.write('', () => resolve());
  return promise;
}

/** Under some names the executable is one command alone. */
const aliases: Readonly<Record<string, string>> = {
  'kube-node-ready-controller': 'operator',
  'kube-node-ready-worker': 'worker',
};

function givenCommand(): readonly string[] {
  const [, executable = '', ...args] = process.argv;
  const name = basename(executable, '.cjs');
  const command = Object.hasOwn(aliases, name) ? aliases[name] : undefined;
  return command === undefined ? args : [command, ...args];
}

void run();
