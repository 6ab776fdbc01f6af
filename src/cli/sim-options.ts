// The options of `muster sim`, declared once.

import { simKeys } from '../api/keys.ts';
import { choice } from './option-kinds.ts';
import { fleetOptions } from './fleet-options.ts';
import { formatOptions, option, type OptionList, type ValuesOf } from './options.ts';
import { connectionOptions, logOptions } from './process-options.ts';

export const simOptions = {
  kubeconfig: { ...connectionOptions.kubeconfig, help: 'which cluster to attach to' },
  context: connectionOptions.context,
  ...fleetOptions,
  controllers: option(choice(['auto', 'on', 'off']), {
    flag: 'controllers',
    key: null,
    fallback: 'auto',
    help: 'play the scheduler, the node controller and the DaemonSet controller; auto: those whose Lease is not in kube-system, and no DaemonSets beside a manager without one',
  }),
  logLevel: logOptions.logLevel,
  logFormat: { ...logOptions.logFormat, fallback: 'text' as const },
} satisfies OptionList;

export type SimConfig = ValuesOf<typeof simOptions>;

export function simHelp(): string {
  return [
    'Usage: muster sim [flags]',
    '',
    'Attaches simulated nodes to a cluster: kubelets that register, report and run pods, with behaviour from stage files.',
    `Touches no Node without the label ${simKeys.simulated}. What it made stays when it ends.`,
    '',
    'Flags:',
    formatOptions(simOptions),
    '',
    'Exit codes: 0 stopped by a signal or at the end of --duration, 1 failure, 2 usage or configuration.',
  ].join('\n');
}
