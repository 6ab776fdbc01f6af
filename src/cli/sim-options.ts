// The options of `muster sim`, declared once.

import { simKeys } from '../api/keys.ts';
import { choice, text } from './option-kinds.ts';
import { fleetOptions } from './fleet-options.ts';
import { formatOptions, option, type OptionList, type ValuesOf } from './options.ts';

export const simOptions = {
  kubeconfig: option(text('<file>'), {
    flag: 'kubeconfig',
    key: null,
    fallback: '',
    fallbackText: 'KUBECONFIG, then ~/.kube/config',
    help: 'which cluster to attach to',
  }),
  context: option(text('<name>'), {
    flag: 'context',
    key: null,
    fallback: '',
    help: 'the context to use in place of the current one',
  }),
  ...fleetOptions,
  controllers: option(choice(['auto', 'on', 'off']), {
    flag: 'controllers',
    key: null,
    fallback: 'auto',
    help: 'play the scheduler, the node controller and the DaemonSet controller; auto: those whose Lease is not in kube-system',
  }),
  logLevel: option(choice(['debug', 'info', 'warn', 'error']), {
    flag: 'log-level',
    key: null,
    fallback: 'info',
    help: 'what is logged',
  }),
  logFormat: option(choice(['json', 'text']), {
    flag: 'log-format',
    key: null,
    fallback: 'text',
    help: 'one JSON object or one readable line per message',
  }),
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
