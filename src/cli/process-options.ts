// Options that several commands have: which cluster they are about, and what they log. Declared once; a command says what is
// different about its own.

import { logLevels } from './line-log.ts';
import { choice, text } from './option-kinds.ts';
import { type Option, option } from './options.ts';

/** Of a command at somebody's terminal. */
const kubeconfig = option(text('<file>'), {
  flag: 'kubeconfig',
  key: null,
  fallback: '',
  fallbackText: 'KUBECONFIG, then ~/.kube/config',
  help: 'which cluster to look at',
});

const context = option(text('<name>'), {
  flag: 'context',
  key: null,
  fallback: '',
  help: 'the context to use in place of the current one',
});

const logLevel = option(choice(logLevels), {
  flag: 'log-level',
  key: null,
  fallback: 'info',
  help: 'what is logged',
});

const logFormat: Option<'json' | 'text'> = option(choice(['json', 'text']), {
  flag: 'log-format',
  key: null,
  fallback: 'json',
  help: 'one JSON object or one readable line per message',
});

export const connectionOptions = { kubeconfig, context } as const;

/** Of a process that may run in a pod of the cluster itself. */
export const kubeconfigOrPod: Option<string> = {
  ...kubeconfig,
  fallbackText: 'KUBECONFIG, ~/.kube/config, then the pod it runs in',
  help: 'which cluster to connect to',
};

export const logOptions = { logLevel, logFormat } as const;
