// What `muster up` says to people, apart from the table: what it started, what to try next, how it ended. Pure.

import path from 'node:path';
import { simKeys } from '../api/keys.ts';
import { formatElapsed } from './fleet-screen.ts';

export type UpStart = {
  readonly kubeconfig: string;
  readonly workingFolder: string;
  readonly url: string;
  readonly logFile: string;
  /** A node and another one, for the commands. */
  readonly nodes: readonly [string, string] | null;
};

/** Short where the reader stands above the file; the whole path otherwise. */
export function shownPath(file: string, workingFolder: string): string {
  const relative = path.relative(workingFolder, file);
  return relative.startsWith('..') || path.isAbsolute(relative) ? file : relative;
}

export function nextSteps({ kubeconfig, workingFolder, url, logFile, nodes }: UpStart): readonly string[] {
  const shown = shownPath(kubeconfig, workingFolder);
  const exported = shown === kubeconfig ? kubeconfig : `$PWD/${shown}`;
  const [first, second] = nodes ?? [];
  const aboutNodes =
    first === undefined
      ? []
      : [
          `  kubectl cordon ${first} && kubectl get nl ${first} --watch`,
          `  kubectl annotate node ${second} ${simKeys.play}=node-reboots`,
        ];
  return [
    'Try, in another terminal:',
    `  export KUBECONFIG="${exported}"`,
    '  kubectl get nodes',
    '  kubectl get nl',
    ...aboutNodes,
    '',
    `API server ${url}, operator log ${shownPath(logFile, workingFolder)}`,
    'Ctrl-C stops everything.',
  ];
}

export type Readiness = { readonly nodes: number; readonly pools: number; readonly failed: number };

export function readySentence({ nodes, pools, failed }: Readiness, readyMs: number): string {
  const counted = failed === 0 ? `${nodes} nodes` : `${nodes - failed} of ${nodes} nodes`;
  return `${counted} in ${pools} pools are in service after ${(readyMs / 1000).toFixed(1)} s`;
}

export function endSentence(elapsedMs: number): string {
  return `stopped after ${formatElapsed(elapsedMs)}: the fleet, the operator and the server are gone`;
}
