// Completes package-lock.json after `npm install`: an optional package of another platform that the registry at hand does not
// offer is left out by npm, and `npm ci` then refuses the lockfile. Adds such packages by name, version and platform, so that
// they are skipped here and fetched where they belong.

import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

type Entry = {
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly [field: string]: unknown;
};
type Lockfile = { packages: Record<string, Entry>; readonly [field: string]: unknown };

const systems = ['android', 'darwin', 'freebsd', 'linux', 'openharmony', 'win32'];
const processors = ['arm64', 'arm', 'ia32', 'ppc64', 'riscv64', 's390x', 'wasm32', 'x64'];

export function completeLock(lock: Lockfile): Lockfile {
  const wanted = Object.values(lock.packages).flatMap(({ optionalDependencies = {} }) =>
    Object.entries(optionalDependencies),
  );
  const missing = wanted.filter(([name]) => lock.packages[`node_modules/${name}`] === undefined);
  const added = missing.map(
    ([name, version]) => [`node_modules/${name}`, platformEntry(name, version)] as const,
  );
  const packages = Object.entries({ ...lock.packages, ...Object.fromEntries(added) });
  return { ...lock, packages: Object.fromEntries(packages.sort(([a], [b]) => (a < b ? -1 : 1))) };
}

/** Packages of binaries name their platform: `binding-linux-arm64-musl`. */
function platformEntry(name: string, version: string): Entry {
  const words = name.split(/[-/]/);
  const only = (known: readonly string[]) => known.filter((each) => words.includes(each)).slice(0, 1);
  const [os, cpu] = [only(systems), only(processors)];
  const libc = words.some((word) => word.startsWith('musl')) ? ['musl'] : [];
  return {
    version,
    ...(cpu.length === 0 ? {} : { cpu }),
    dev: true,
    ...(libc.length === 0 ? {} : { libc }),
    optional: true,
    ...(os.length === 0 ? {} : { os }),
  };
}

if (import.meta.main) {
  const file = path.resolve(import.meta.dirname, '..', 'package-lock.json');
  const lock = JSON.parse(readFileSync(file, 'utf8')) as Lockfile;
  writeFileSync(file, `${JSON.stringify(completeLock(lock), null, 2)}\n`);
}
