// Which custom checks a worker runs, and the containers they run in. Those that are required are init containers: one after the
// other, before the checks of the worker, and the first that does not end well is the last. Those that are advisory run beside
// the worker, where their end keeps nothing from going on.

import {
  type CustomCheck,
  type CustomChecks,
  type CustomResources,
  type CustomSecurity,
  type CustomVolume,
} from '../../api/custom-check.ts';
import {
  checkNames,
  checkParamNames,
  verificationDefaults as defaults,
} from '../../api/verification-vocabulary.ts';
import { type Hash, hashOf } from '../../base/hash.ts';
import type { Problem } from '../../base/result.ts';
import type { PlannedCheck, Policy } from './policy.ts';

export type ChosenCustom = CustomCheck & { readonly severity: 'required' | 'advisory' };

export type ChosenChecks = {
  /** What the worker itself checks. */
  readonly own: readonly PlannedCheck[];
  readonly custom: readonly ChosenCustom[];
};

/** Keys of the worker's configuration that an admin set for all of them. */
export type WorkerConfig = Readonly<Record<string, unknown>>;

export type CheckSupply = { readonly checks: readonly PlannedCheck[]; readonly custom: CustomChecks };

/** The policy of the configuration runs every custom check there is; any other those that it names. */
export function chosenChecks(
  policy: Pick<Policy, 'name' | 'checks'> | null,
  { checks, custom }: CheckSupply,
): ChosenChecks {
  const usual = policy?.name === '' ? [...checks, ...custom.checks.map(({ name }) => ({ name }))] : checks;
  const asked: readonly PlannedCheck[] = policy?.checks ?? usual;
  const definitionOf = (wanted: string) => custom.checks.find(({ name }) => name === wanted);
  return {
    own: asked.filter(({ name }) => definitionOf(name) === undefined),
    custom: asked.flatMap(({ name, severity = 'required' }) => {
      const definition = definitionOf(name);
      return definition === undefined ? [] : [{ ...definition, severity }];
    }),
  };
}

/**
 * What each check proves, as a hash: the same check, under the same id, with the same parameters. How long and how often it is tried, and
 * whether the policy requires it, is not of that.
 */
export function marksOf({ own, custom }: ChosenChecks, config: WorkerConfig): readonly Hash[] {
  return [
    ...own.map(({ name, id = name, params = {} }) => hashOf({ name, id, params, config })),
    ...custom.map(({ severity, resources, ...definition }) => hashOf(definition)),
  ];
}

export function requiredOf({ own, custom }: ChosenChecks): ChosenChecks {
  const isRequired = ({ severity = 'required' }: Pick<PlannedCheck, 'severity'>) => severity === 'required';
  return { own: own.filter(isRequired), custom: custom.filter(isRequired) };
}

/** Why a policy with these checks cannot be followed: what it names is not there, or cannot be told to a container. */
export function checkProblems(
  checks: readonly PlannedCheck[],
  custom: readonly CustomCheck[],
): readonly Problem[] {
  const customNames = custom.map(({ name }) => name);
  const known = [...checkNames, ...customNames].join(', ');
  const ids = checks.map(({ name, id = name }) => id);
  const isCustom = ({ name }: PlannedCheck) => customNames.includes(name);
  const path = 'spec.checks';
  return [
    ...checks.flatMap((check, index) => {
      const at = `${path}[${index}]`;
      if (isCustom(check)) return settingProblems(check, at);
      return checkNames.includes(check.name)
        ? paramProblems(check, at)
        : [
            {
              path: `${at}.name`,
              message: `must be one of ${known}, not ${JSON.stringify(check.name)}; custom checks are defined in the configuration of the operator`,
            },
          ];
    }),
    ...ids
      .filter((id, index) => ids.indexOf(id) < index)
      .map((id) => ({ path, message: `has ${id} more than once; give each its own id` })),
    // The report of the worker is what proves that a pod ran on this node in this attempt.
    ...(checks.length > 0 && checks.every(isCustom)
      ? [{ path, message: 'has custom checks only; name one of the worker too, such as api' }]
      : []),
  ];
}

/** The API server knows every parameter that some check takes; only here is it known which one takes it. */
function paramProblems({ name, params = {} }: PlannedCheck, at: string): readonly Problem[] {
  const known = checkParamNames[name] ?? [];
  return Object.keys(params)
    .filter((param) => !known.includes(param))
    .map((param) => ({
      path: `${at}.params.${param}`,
      message: `is no parameter of ${name}, which takes ${known.length === 0 ? 'none' : known.join(', ')}`,
    }));
}

const untold = ['id', 'params', 'timeoutSeconds', 'tries'] as const;

function settingProblems(check: PlannedCheck, at: string): readonly Problem[] {
  return untold
    .filter((key) => check[key] !== undefined)
    .map((key) => ({
      path: `${at}.${key}`,
      message: `is ${JSON.stringify(check[key])}, but ${check.name} is a custom check, which takes a severity alone`,
    }));
}

export function containersOf(
  custom: readonly ChosenCustom[],
  severity: ChosenCustom['severity'],
): readonly object[] {
  return custom.filter((check) => check.severity === severity).map(containerOf);
}

/** Only what some check of this pod mounts. */
export function volumesOf(
  custom: readonly ChosenCustom[],
  volumes: readonly CustomVolume[],
): readonly CustomVolume[] {
  const mounted = new Set(custom.flatMap(({ volumeMounts = [] }) => volumeMounts.map(({ name }) => name)));
  return volumes.filter(({ name }) => mounted.has(name));
}

function containerOf(check: CustomCheck): object {
  const { name, image, command, args, env = [], volumeMounts, resources, workingDir } = check;
  const field = (variable: string, fieldPath: string) => ({
    name: variable,
    valueFrom: { fieldRef: { fieldPath } },
  });
  return {
    name,
    image,
    ...(command === undefined ? {} : { command }),
    ...(args === undefined ? {} : { args }),
    ...(workingDir === undefined ? {} : { workingDir }),
    env: [field('NODE_NAME', 'spec.nodeName'), field('POD_NAMESPACE', 'metadata.namespace'), ...env],
    ...(volumeMounts === undefined ? {} : { volumeMounts: volumeMounts.map(given) }),
    resources: resourcesOf(resources),
    securityContext: securityOf(check.securityContext ?? {}),
    // A check that is somebody else's program says what it found on its output.
    terminationMessagePolicy: 'FallbackToLogsOnError',
  };
}

/** What is bounded or asked for on one side only is the same on the other: the API server refuses a request above its limit. */
function resourcesOf({ requests = {}, limits = {} }: CustomResources = {}): object {
  const {
    memory = limits['memory'] ?? defaults.requests.memory,
    cpu = limits['cpu'] ?? defaults.requests.cpu,
  } = requests;
  return {
    requests: { ...requests, cpu, memory },
    limits: { ...limits, memory: limits['memory'] ?? requests['memory'] ?? defaults.limits.memory },
  };
}

/** As the restricted pod security standard wants it, but for what the administrator says. */
function securityOf(security: CustomSecurity): object {
  const { privileged = false, capabilities, seccompProfile, appArmorProfile, seLinuxOptions } = security;
  // The API server refuses a container that has these and may not gain privileges.
  const isMighty = privileged || (capabilities?.add ?? []).some((name) => /^(CAP_)?SYS_ADMIN$/.test(name));
  return {
    ...(isMighty ? {} : { allowPrivilegeEscalation: false }),
    readOnlyRootFilesystem: true,
    ...given(security),
    capabilities: { drop: ['ALL'], ...given(capabilities ?? {}) },
    ...(seccompProfile === undefined ? {} : { seccompProfile: given(seccompProfile) }),
    ...(appArmorProfile === undefined ? {} : { appArmorProfile: given(appArmorProfile) }),
    ...(seLinuxOptions === undefined ? {} : { seLinuxOptions: given(seLinuxOptions) }),
  };
}

/** Without the fields that were not given. */
function given(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
