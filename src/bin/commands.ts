// The command line: one line per command, each in its own file.

import { Command, CommanderError } from 'commander';
import { printManifests } from '../cli/manifests.ts';
import { printVersion } from '../cli/version.ts';
import type { ApiServerFlags } from './apiserver.ts';
import { version } from './version.ts';

const USAGE_ERROR = 2;

export async function runCommand(argv: readonly string[]): Promise<number> {
  let exitCode = 0;
  const program = new Command('muster')
    .description('One operator for the whole life of a Kubernetes node')
    .version(`muster ${version} (node ${process.version})`)
    .showHelpAfterError('Run muster --help to see the commands.')
    .exitOverride();
  program
    .command('operator')
    .description('run the operator against a cluster (muster operator --help lists its flags)');
  program
    .command('worker')
    .description('check the node this runs on once and report (muster worker --help lists its flags)');
  program
    .command('reporter')
    .description(
      'keep a condition of a node by what an endpoint answers (muster reporter --help lists its flags)',
    );
  program
    .command('rules')
    .description('list the readiness rules of both kinds (muster rules --help lists its flags)');
  program
    .command('explain')
    .description('explain a readiness rule in words: muster explain rule RULE (--help lists its flags)');
  program
    .command('nodes')
    .description(
      'list nodes with their stage and what holds them back (muster nodes --help lists its flags)',
    );
  program
    .command('crds')
    .description('print the CustomResourceDefinitions: muster crds | kubectl apply -f -')
    .action(() => printManifests('crds'));
  program
    .command('rbac')
    .description('print the namespace, service account and roles of the operator')
    .action(() => printManifests('rbac'));
  program
    .command('admission')
    .description(
      'print the policies by which nodes are born with the taint of verification (Kubernetes 1.36)',
    )
    .action(() => printManifests('admission'));
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
    .command('up')
    .description(
      'show it all: embedded server, simulated fleet, operator (muster up --help lists its flags)',
    );
  program
    .command('sim')
    .description('attach simulated nodes to a cluster (muster sim --help lists its flags)');
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
