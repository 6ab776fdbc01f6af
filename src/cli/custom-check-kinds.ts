// How custom checks and their volumes are written in the configuration of the operator: the fields of a container and of a
// volume that make sense for a check, read strictly. An unknown field is a problem, never ignored. Loaded only where there are any:
// most operators have none.

import {
  customCheckLimits as limits,
  type CustomCheck,
  type CustomChecks,
  type CustomVolume,
  workerContainer,
  workerVolumes,
} from '../api/custom-check.ts';
import { checkNames } from '../api/verification-vocabulary.ts';
import { err, ok, type Problem, type Result } from '../base/result.ts';
import {
  choice,
  integer,
  isRecord,
  listOf,
  type Param,
  type ParamKind,
  record,
  required,
} from '../checks/params.ts';
import { isAmount } from '../objects/quantity.ts';
import { customCheckProblems } from './custom-check-problems.ts';

/** As they stand in a config file or a flag. */
export type GivenCustomChecks = {
  readonly initContainers: readonly unknown[];
  readonly volumes: readonly unknown[];
  readonly workerSettings: Readonly<Record<string, unknown>>;
};

const LIST_MAX = 64;
const ID_MAX = 4_294_967_295;

function optional<T>(kind: ParamKind<T>): Param<T | undefined> {
  return { kind, fallback: undefined, help: '' };
}

function many<T>(kind: ParamKind<T>, max = LIST_MAX): ParamKind<readonly T[]> {
  return listOf(kind, { default: [], max, help: '' }).kind;
}

function refused(path: string, wanted: string, raw: unknown): ReturnType<ParamKind<never>['read']> {
  return err([{ path, message: `must be ${wanted}, not ${JSON.stringify(raw) ?? String(raw)}` }]);
}

const text: ParamKind<string> = {
  words: 'text',
  read: (raw, { path }) => (typeof raw === 'string' && raw !== '' ? ok(raw) : refused(path, 'text', raw)),
};

/** May be empty, as the value of a variable may. */
const anyText: ParamKind<string> = {
  words: 'text',
  read: (raw, { path }) => (typeof raw === 'string' ? ok(raw) : refused(path, 'text', raw)),
};

const flag: ParamKind<boolean> = {
  words: 'true or false',
  read: (raw, { path }) => (typeof raw === 'boolean' ? ok(raw) : refused(path, 'true or false', raw)),
};

function name(reserved: readonly string[]): ParamKind<string> {
  const wanted = `up to ${limits.nameLengthMax} lower-case letters, digits and dashes`;
  return {
    words: wanted,
    read(raw, { path }) {
      const isName =
        typeof raw === 'string' &&
        raw.length <= limits.nameLengthMax &&
        /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(raw);
      if (!isName) return refused(path, wanted, raw);
      return reserved.includes(raw)
        ? err([{ path, message: `${JSON.stringify(raw)} is taken by Muster itself` }])
        : ok(raw);
    },
  };
}

const absolutePath: ParamKind<string> = {
  words: 'absolute path',
  read: (raw, { path }) =>
    typeof raw === 'string' && raw.startsWith('/') ? ok(raw) : refused(path, 'an absolute path', raw),
};

/** YAML makes a number of `1`; a pod has text. */
const quantities: ParamKind<Readonly<Record<string, string>>> = {
  words: 'map of quantities',
  read(raw, { path }) {
    if (!isRecord(raw)) return refused(path, 'a map of quantities', raw);
    const entries = Object.entries(raw).map(([key, value]) => [key, String(value)] as const);
    const problems = entries
      .filter(([, value]) => !isAmount(value))
      .map(([key]) => ({
        path: `${path}.${key}`,
        message: `must be a quantity of 0 or more, not ${JSON.stringify(raw[key])}`,
      }));
    return problems.length > 0 ? err(problems) : ok(Object.fromEntries(entries));
  },
};

const profile = (types: readonly string[]) =>
  record({ type: required(choice(types)), localhostProfile: optional(text) });
const profileTypes = ['RuntimeDefault', 'Localhost', 'Unconfined'];
const id = integer({ min: 0, max: ID_MAX });

const security = record({
  privileged: optional(flag),
  allowPrivilegeEscalation: optional(flag),
  readOnlyRootFilesystem: optional(flag),
  runAsNonRoot: optional(flag),
  runAsUser: optional(id),
  runAsGroup: optional(id),
  capabilities: optional(record({ add: optional(many(text)), drop: optional(many(text)) })),
  seccompProfile: optional(profile(profileTypes)),
  appArmorProfile: optional(profile(profileTypes)),
  seLinuxOptions: optional(
    record({ user: optional(text), role: optional(text), type: optional(text), level: optional(text) }),
  ),
});

const container: ParamKind<CustomCheck> = record({
  name: required(name([...checkNames, workerContainer])),
  image: required(text),
  command: optional(many(text)),
  args: optional(many(anyText)),
  env: optional(many(record({ name: required(text), value: required(anyText) }))),
  volumeMounts: optional(
    many(
      record({
        name: required(text),
        mountPath: required(absolutePath),
        readOnly: optional(flag),
        subPath: optional(text),
        mountPropagation: optional(choice(['None', 'HostToContainer', 'Bidirectional'])),
      }),
    ),
  ),
  resources: optional(record({ requests: optional(quantities), limits: optional(quantities) })),
  securityContext: optional(security),
  workingDir: optional(absolutePath),
});

const items = optional(
  many(record({ key: required(text), path: required(text), mode: optional(integer({ min: 0, max: 511 })) })),
);
const defaultMode = optional(integer({ min: 0, max: 511 }));
const hostPathTypes = [
  'DirectoryOrCreate',
  'Directory',
  'FileOrCreate',
  'File',
  'Socket',
  'CharDevice',
  'BlockDevice',
];

const sources = {
  hostPath: optional(record({ path: required(absolutePath), type: optional(choice(hostPathTypes)) })),
  emptyDir: optional(record({ medium: optional(choice(['', 'Memory'])), sizeLimit: optional(text) })),
  configMap: optional(record({ name: required(text), items, defaultMode, optional: optional(flag) })),
  secret: optional(record({ secretName: required(text), items, defaultMode, optional: optional(flag) })),
};

const anyVolume = record({ name: required(name(Object.values(workerVolumes))), ...sources });

const volume: ParamKind<CustomVolume> = {
  words: anyVolume.words,
  read(raw, at) {
    const read = anyVolume.read(raw, at);
    if (read.kind === 'error') return read;
    const { name: volumeName, ...given } = read.value;
    const [source, second] = Object.entries(given).filter(([, value]) => value !== undefined);
    return source !== undefined && second === undefined
      ? ok({ name: volumeName, [source[0]]: source[1] })
      : refused(at.path, `a volume with one of ${Object.keys(sources).join(', ')}`, raw);
  },
};

/** Everything that is wrong with them, field by field, and then with the whole. */
export function readCustomChecks({
  initContainers,
  volumes,
  workerSettings,
}: GivenCustomChecks): Result<CustomChecks, readonly Problem[]> {
  const targets = { refusalOf: () => null };
  const checks = many(container, limits.checksMax).read(initContainers, {
    path: 'worker.initContainers',
    targets,
  });
  const mounts = many(volume, limits.volumesMax).read(volumes, { path: 'worker.volumes', targets });
  if (checks.kind === 'error' || mounts.kind === 'error')
    return err([checks, mounts].flatMap((each) => (each.kind === 'error' ? each.error : [])));
  const custom = { checks: checks.value, volumes: mounts.value };
  const problems = customCheckProblems(custom, workerSettings);
  return problems.length === 0 ? ok(custom) : err(problems);
}
