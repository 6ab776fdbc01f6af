// The options of `muster up`, declared once.

import { fleetOptions } from './fleet-options.ts';
import { choice, text, whole } from './option-kinds.ts';
import { formatOptions, option, type OptionList, type ValuesOf } from './options.ts';

export const upOptions = {
  ...fleetOptions,
  port: option(whole({ min: 0, max: 65_535 }), {
    flag: 'port',
    key: null,
    fallback: 6780,
    fallbackText: '6780',
    help: 'the port on 127.0.0.1 of the embedded API server; 0 for any that is free',
  }),
  output: option(choice(['text', 'json']), {
    flag: 'output',
    key: null,
    fallback: 'text',
    help: 'json: one summary object on stdout at the end, progress on stderr',
  }),
  kubeconfigOut: option(text('<file>'), {
    flag: 'kubeconfig-out',
    key: null,
    fallback: '',
    fallbackText: '.muster/kubeconfig below the project, .muster/<port>/kubeconfig with --port',
    help: "where to write the kubeconfig; the operator's log goes beside it",
  }),
} satisfies OptionList;

export type UpConfig = ValuesOf<typeof upOptions>;

export function upHelp(): string {
  return [
    'Usage: muster up [flags]',
    '',
    'Shows Muster at work with nothing but this package: an embedded Kubernetes API server, a fleet of simulated nodes and',
    'the operator. Nodes join, reboot, leave and come back while you look. Everything is gone when it ends.',
    '',
    'Flags:',
    formatOptions(upOptions),
    '',
    'Exit codes: 0 stopped by a signal or at the end of --duration, 1 failure, 2 usage or configuration.',
  ].join('\n');
}
