// What is wrong with custom checks although each field by itself is right: what no pod could be made of, or what a kubelet
// would refuse on every node. Found before the operator starts.

import type { CustomCheck, CustomChecks } from '../api/custom-check.ts';
import type { Problem } from '../base/result.ts';
import { recordsIn } from '../objects/raw.ts';
import { compareQuantities, parseQuantity } from '../objects/quantity.ts';
import { checkList } from './worker-option-kinds.ts';

export function customCheckProblems(
  { checks, volumes }: CustomChecks,
  workerSettings: Readonly<Record<string, unknown>>,
): readonly Problem[] {
  return [
    ...clashes(checks, workerSettings['checks']),
    ...twice(
      'worker.initContainers',
      checks.map(({ name }) => name),
    ),
    ...twice(
      'worker.volumes',
      volumes.map(({ name }) => name),
    ),
    ...checks.flatMap((check, index) => {
      const path = `worker.initContainers[${index}]`;
      return [
        ...mountProblems(check, volumes, path),
        ...rootProblems(check, path),
        ...resourceProblems(check, path),
        ...environmentProblems(check, path),
      ];
    }),
  ];
}

/** The worker would not know such a check, and a report could not tell two of one name apart. */
function clashes(checks: readonly CustomCheck[], own: unknown): readonly Problem[] {
  const list = checkList.read(own);
  const ids = recordsIn(list.kind === 'ok' ? list.value : []).map(({ name, id = name }) => id);
  return checks
    .filter(({ name }) => ids.includes(name))
    .map(({ name }) => ({
      path: 'verification.workerSettings.checks',
      message: `has ${JSON.stringify(name)}, which is a custom check: --verify-nodes runs those by itself, a NodeVerification by name`,
    }));
}

function twice(path: string, names: readonly string[]): readonly Problem[] {
  return names
    .filter((name, index) => names.indexOf(name) < index)
    .map((name) => ({ path, message: `has ${JSON.stringify(name)} more than once` }));
}

function mountProblems(
  { volumeMounts = [] }: CustomCheck,
  volumes: CustomChecks['volumes'],
  path: string,
): readonly Problem[] {
  return volumeMounts.flatMap(({ name }, index) =>
    volumes.some((volume) => volume.name === name)
      ? []
      : [
          {
            path: `${path}.volumeMounts[${index}].name`,
            message: `must be the name of one of worker.volumes, not ${JSON.stringify(name)}`,
          },
        ],
  );
}

/** The pod says runAsNonRoot: a kubelet starts no container of it as root that does not say otherwise itself. */
function rootProblems({ securityContext = {} }: CustomCheck, path: string): readonly Problem[] {
  const { runAsUser, runAsNonRoot } = securityContext;
  return runAsUser === 0 && runAsNonRoot !== false
    ? [{ path: `${path}.securityContext.runAsUser`, message: 'is 0, which needs runAsNonRoot: false too' }]
    : [];
}

function resourceProblems({ resources = {} }: CustomCheck, path: string): readonly Problem[] {
  const { requests = {}, limits = {} } = resources;
  return Object.entries(requests).flatMap(([key, request]) => {
    const [asked, most] = [parseQuantity(request), parseQuantity(limits[key] ?? request)];
    const isMore =
      asked.kind === 'ok' && most.kind === 'ok' && compareQuantities(asked.value, most.value) > 0;
    return isMore
      ? [
          {
            path: `${path}.resources.requests.${key}`,
            message: `is ${request}, more than its limit ${limits[key]}`,
          },
        ]
      : [];
  });
}

/** What every custom check is told by the operator. */
const given: readonly string[] = ['NODE_NAME', 'POD_NAMESPACE'];

function environmentProblems({ env = [] }: CustomCheck, path: string): readonly Problem[] {
  return env.flatMap(({ name }, index) =>
    given.includes(name)
      ? [
          {
            path: `${path}.env[${index}].name`,
            message: `${JSON.stringify(name)} is set by the operator`,
          },
        ]
      : [],
  );
}
