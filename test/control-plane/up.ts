// The control plane for people: starts it, says how to reach it, and takes everything down on Ctrl-C or SIGTERM.

import { once } from 'node:events';
import { copyFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { type ControlPlane, startControlPlane } from './control-plane.ts';

const help = `usage: node test/control-plane/up.ts [--nodes N] [--kubeconfig-out FILE]

Starts etcd, kube-apiserver, kube-controller-manager and kube-scheduler on 127.0.0.1 and stays until Ctrl-C.

  --nodes N              create N plain Nodes, node-0001 and up (no kubelets: they stay tainted not-ready)
  --kubeconfig-out FILE  write the administrator's kubeconfig to FILE instead of the data directory
  --help                 this text

The servers are built once with Go, or taken from the folder that KUBEBUILDER_ASSETS names.
`;

const nodesMax = 10_000;
const createsInFlight = 16;

type Up = { readonly kind: 'up'; readonly nodes: number; readonly kubeconfigOut: string | undefined };

type Command = Up | { readonly kind: 'help' } | { readonly kind: 'problem'; readonly sentence: string };

async function main(args: readonly string[]): Promise<number> {
  const command = parseCommand(args);
  if (command.kind === 'help') {
    process.stdout.write(help);
    return 0;
  }
  if (command.kind === 'problem') {
    say(command.sentence);
    return 2;
  }
  return up(command).then(
    () => 0,
    (error: unknown) => {
      say(error instanceof Error ? error.message : String(error));
      return 1;
    },
  );
}

async function up({ nodes, kubeconfigOut }: Up): Promise<void> {
  const asked = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  // Asked to end before there is a control plane to stop: the watchdog takes down what has started.
  const leaveEarly = () => process.exit(0);
  process.once('SIGINT', leaveEarly).once('SIGTERM', leaveEarly);
  const plane = await startControlPlane({ log: say });
  process.off('SIGINT', leaveEarly).off('SIGTERM', leaveEarly);
  try {
    await createNodes(plane, nodes);
    if (kubeconfigOut !== undefined) await copyFile(plane.adminKubeconfig, kubeconfigOut);
    process.stdout.write(`export KUBECONFIG=${kubeconfigOut ?? plane.adminKubeconfig}\n`);
    await asked;
    say('stopping');
  } finally {
    await plane.stop();
  }
}

async function createNodes({ request }: ControlPlane, count: number): Promise<void> {
  const names = Array.from({ length: count }, (_, index) => `node-${String(index + 1).padStart(4, '0')}`);
  // All workers draw from one iterator, so each name is taken once.
  const remaining = names.values();
  const worker = async () => {
    for (const name of remaining) {
      const labels = { 'kubernetes.io/hostname': name, 'kubernetes.io/os': 'linux' };
      const { status, body } = await request('POST', '/api/v1/nodes', {
        body: { metadata: { name, labels } },
      });
      if (status !== 201) throw new Error(`creating node ${name} got ${status}: ${JSON.stringify(body)}`);
    }
  };
  await Promise.all(Array.from({ length: createsInFlight }, worker));
  if (count > 0) say(`created ${count} nodes`);
}

function parseCommand(args: readonly string[]): Command {
  const options = {
    nodes: { type: 'string' },
    'kubeconfig-out': { type: 'string' },
    help: { type: 'boolean' },
  } as const;
  try {
    const { values } = parseArgs({ args: [...args], options });
    if (values.help) return { kind: 'help' };
    const nodes = Number(values.nodes ?? 0);
    if (Number.isInteger(nodes) && nodes >= 0 && nodes <= nodesMax) {
      return { kind: 'up', nodes, kubeconfigOut: values['kubeconfig-out'] };
    }
    return {
      kind: 'problem',
      sentence: `--nodes takes a whole number from 0 to ${nodesMax}, not ${values.nodes}`,
    };
  } catch (error) {
    return { kind: 'problem', sentence: error instanceof Error ? error.message : String(error) };
  }
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

process.exitCode = await main(process.argv.slice(2));
