// Which scenarios are worth all their faults now: those that name a folder in which something differs from the last commit, or
// that the last commit changed. And which part of the rest is due, so that commit after commit all of it is run.

import { execFileSync } from 'node:child_process';
import type { Scenario } from './scenario.ts';

export type Due = { readonly changed: readonly Scenario[]; readonly part: number };

export function dueNow(scenarios: readonly Scenario[], root: string): Due {
  const paths = [
    ...lines(root, 'diff', '--name-only', 'HEAD'),
    ...lines(root, 'diff', '--name-only', 'HEAD~1', 'HEAD'),
  ];
  const isChanged = ({ folders }: Scenario) =>
    paths.some(
      (path) => !path.endsWith('.test.ts') && folders.some((folder) => path.startsWith(`${folder}/`)),
    );
  const [head = '0'] = lines(root, 'rev-parse', 'HEAD');
  return { changed: scenarios.filter(isChanged), part: Number.parseInt(head.slice(0, 6), 16) || 0 };
}

/** Without a repository nothing is known to have changed. */
function lines(cwd: string, ...args: readonly string[]): readonly string[] {
  try {
    return execFileSync('git', args, { cwd, encoding: 'utf8', stdio: 'pipe' }).trim().split('\n');
  } catch {
    return [];
  }
}
