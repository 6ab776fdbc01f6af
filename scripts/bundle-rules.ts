// What each bundle may contain. A package that is not on an entry's list fails the build, and so does a file that grows
// beyond its budget: the operator starts fast and small because nothing else is in it.

import type { Bundle } from './build.ts';

type BundleRule = { readonly bytesMax: number; readonly packages: readonly string[] };

const pino = [
  '@pinojs/redact',
  'atomic-sleep',
  'on-exit-leak-free',
  'pino',
  'pino-std-serializers',
  'quick-format-unescaped',
  'safe-stable-stringify',
  'sonic-boom',
];
const promClient = ['prom-client'];

const rules: Readonly<Record<string, BundleRule>> = {
  muster: { bytesMax: 20_000, packages: [] },
  operator: { bytesMax: 420_000, packages: [...pino, ...promClient] },
  worker: { bytesMax: 80_000, packages: [] },
  'daemonset-worker': { bytesMax: 100_000, packages: [] },
  reporter: { bytesMax: 350_000, packages: [...pino, ...promClient] },
  views: { bytesMax: 150_000, packages: [] },
  readiness: { bytesMax: 100_000, packages: [] },
  verification: { bytesMax: 110_000, packages: [] },
  'custom-check-kinds': { bytesMax: 20_000, packages: [] },
  migrate: { bytesMax: 150_000, packages: [] },
  commands: { bytesMax: 200_000, packages: ['commander'] },
  apiserver: { bytesMax: 600_000, packages: ['@marcbachmann/cel-js'] },
  up: { bytesMax: 700_000, packages: ['@marcbachmann/cel-js'] },
  sim: { bytesMax: 300_000, packages: pino },
  'js-yaml': { bytesMax: 200_000, packages: ['js-yaml'] },
};

export function bundleProblems({ name, bytes, packages }: Bundle): readonly string[] {
  const rule = rules[name];
  if (rule === undefined) return [`dist/${name}.cjs: is not in scripts/bundle-rules.ts`];
  const strangers = packages.filter((each) => !rule.packages.includes(each));
  return [
    ...(bytes > rule.bytesMax
      ? [`dist/${name}.cjs: ${bytes} bytes, at most ${rule.bytesMax} are allowed`]
      : []),
    ...(strangers.length > 0 ? [`dist/${name}.cjs: must not contain ${strangers.join(', ')}`] : []),
  ];
}
