// The command line: one line per command, each in its own file.

import { Command, CommanderError } from 'commander';
import { printManifests } from '../cli/manifests.ts';
import { printVersion } from '../cli/version.ts';
import { version } from './version.ts';

const USAGE_ERROR = 2;

export async function runCommand(argv: readonly string[]): Promise<number> {
  const program = new Command('muster')
    .description('One operator for the whole life of a Kubernetes node')
    .version(`muster ${version} (node ${process.version})`)
    .showHelpAfterError('Run muster --help to see the commands.')
    .exitOverride();
  program
    .command('operator')
    .description('run the operator against a cluster (muster operator --help lists its flags)');
  program
    .command('crds')
    .description('print the CustomResourceDefinitions: muster crds | kubectl apply -f -')
    .action(() => printManifests('crds'));
  program
    .command('rbac')
    .description('print the namespace, service account and roles of the operator')
    .action(() => printManifests('rbac'));
  program
    .command('version')
    .description('print the version')
    .action(() => printVersion(version));
  try {
    await program.parseAsync([...argv]);
    return 0;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? 0 : USAGE_ERROR;
  }
}
