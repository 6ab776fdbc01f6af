// The command line: one line per command, each in its own file.

import { Command, CommanderError, Option } from 'commander';
import { optionalRights } from '../api/rbac.ts';
import { printManifests, printRights } from '../cli/manifests.ts';
import { printVersion } from '../cli/version.ts';
import type { ApiServerFlags } from './apiserver.ts';
import type { MigrateFlags } from './migrate.ts';
import { version } from './version.ts';

const USAGE_ERROR = 2;

/** They read their flags themselves and are dispatched before this file is loaded: here they only stand in the help. */
const ownFlags = {
  operator: 'run the operator against a cluster',
  worker: 'check the node this runs on once and report',
  reporter: 'keep a condition of a node by what an endpoint answers',
  rules: 'list the readiness rules of both kinds',
  explain: 'explain a readiness rule in words: muster explain rule RULE',
  nodes: 'list nodes with their stage and what holds them back',
  up: 'show it all: embedded server, simulated fleet, operator',
  sim: 'attach simulated nodes to a cluster',
};

const manifests = [
  ['crds', 'print the CustomResourceDefinitions: muster crds | kubectl apply -f -'],
  [
    'admission',
    'print the policies by which nodes are born with the taint of verification (Kubernetes 1.36)',
  ],
] as const;

export async function runCommand(argv: readonly string[]): Promise<number> {
  let exitCode = 0;
  const program = new Command('muster')
    .description('One operator for the whole life of a Kubernetes node')
    .version(`muster ${version} (node ${process.version})`)
    .showHelpAfterError('Run muster --help to see the commands.')
    .exitOverride();
  for (const [name, description] of Object.entries(ownFlags))
    program.command(name).description(`${description} (muster ${name} --help lists its flags)`);
  for (const [folder, description] of manifests)
    program
      .command(folder)
      .description(description)
      .action(() => printManifests(folder));
  addRbac(program);
  program
    .command('migrate')
    .description('have objects of older versions stored in the current one, and the older one forgotten')
    .option('--kubeconfig <file>', 'which cluster; KUBECONFIG, then ~/.kube/config without it')
    .option('--context <name>', 'the context to use in place of the current one')
    .action(async (flags: MigrateFlags) => {
      exitCode = await (await import('./migrate.ts')).runMigrate(flags);
    });
  program
    .command('apiserver')
    .description('serve an embedded Kubernetes API from memory, for trying things out and for tests')
    .option('--port <number>', 'the port on 127.0.0.1 to listen on; 0 for any that is free', '6443')
    .option('--kubeconfig-out <file>', 'where to write a kubeconfig for the server')
    .option('--snapshot <file>', 'a file that keeps the objects from one run to the next')
    .action(async (flags: ApiServerFlags) => {
      exitCode = await (await import('./apiserver.ts')).runApiServer(flags);
    });
  program
    .command('version')
    .description('print the version')
    .action(() => printVersion(version));
  try {
    await program.parseAsync([...argv]);
    return exitCode;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? 0 : USAGE_ERROR;
  }
}

/** Each flag of the operator that needs more rights than it has without it is one of this command too. */
function addRbac(program: Command): void {
  const flags = optionalRights.map((right) => ({
    right,
    option: new Option(`--${right}`, 'and what the operator needs with this flag'),
  }));
  const rbac = program
    .command('rbac')
    .description('print the namespace, service account and roles of the operator')
    .action((given: Readonly<Record<string, unknown>>) =>
      printRights(
        flags.filter(({ option }) => given[option.attributeName()] === true).map(({ right }) => right),
      ),
    );
  for (const { option } of flags) rbac.addOption(option);
}
