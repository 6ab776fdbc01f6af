// Custom checks: containers that an administrator lets workers run on a node. Only the configuration of the operator can define
// one; a policy can choose it by its name and nothing more, because whoever writes policies must not choose images.

export type CustomCheck = {
  readonly name: string;
  readonly image: string;
  readonly command?: readonly string[] | undefined;
  readonly args?: readonly string[] | undefined;
  /** Literal values only. */
  readonly env?: readonly { readonly name: string; readonly value: string }[] | undefined;
  readonly volumeMounts?: readonly VolumeMount[] | undefined;
  readonly resources?: CustomResources | undefined;
  readonly securityContext?: CustomSecurity | undefined;
  readonly workingDir?: string | undefined;
};

export type VolumeMount = {
  readonly name: string;
  readonly mountPath: string;
  readonly readOnly?: boolean | undefined;
  readonly subPath?: string | undefined;
  readonly mountPropagation?: string | undefined;
};

type Quantities = Readonly<Record<string, string>>;

export type CustomResources = {
  readonly requests?: Quantities | undefined;
  readonly limits?: Quantities | undefined;
};

/** What of a container's securityContext an administrator can set; what is absent stays as restricted pods have it. */
export type CustomSecurity = {
  readonly privileged?: boolean | undefined;
  readonly allowPrivilegeEscalation?: boolean | undefined;
  readonly readOnlyRootFilesystem?: boolean | undefined;
  readonly runAsNonRoot?: boolean | undefined;
  readonly runAsUser?: number | undefined;
  readonly runAsGroup?: number | undefined;
  readonly capabilities?:
    | { readonly add?: readonly string[] | undefined; readonly drop?: readonly string[] | undefined }
    | undefined;
  readonly seccompProfile?: Profile | undefined;
  readonly appArmorProfile?: Profile | undefined;
  readonly seLinuxOptions?:
    | {
        readonly user?: string | undefined;
        readonly role?: string | undefined;
        readonly type?: string | undefined;
        readonly level?: string | undefined;
      }
    | undefined;
};

type Profile = { readonly type: string; readonly localhostProfile?: string | undefined };

/** A volume that custom checks may mount: its name and one source, as a pod has it. */
export type CustomVolume = { readonly name: string } & Readonly<Record<string, unknown>>;

/** What an operator was configured with: every custom check there is, and what they may mount. */
export type CustomChecks = {
  readonly checks: readonly CustomCheck[];
  readonly volumes: readonly CustomVolume[];
};

export const noCustomChecks: CustomChecks = { checks: [], volumes: [] };

export const customCheckLimits = { checksMax: 16, volumesMax: 16, nameLengthMax: 20 } as const;

/** Of the worker itself: no custom check or volume can be called so. */
export const workerContainer = 'worker';
export const workerVolumes = { scratch: 'scratch', account: 'account' } as const;

/** Why a custom check did not pass: every code with its meaning. */
export const customCodeMeanings = {
  ExitedWith1: 'the custom check ran on the node and ended with 1: the node fails it',
  ExitedOtherwise: 'it ended with a code that is neither 0 nor 1; says nothing about the node',
  ImageUnavailable: 'its image cannot be pulled',
  Killed: 'it was killed before it had ended',
  NotFinished: 'it had not ended, or was not begun, when the worker was judged',
  NotStarted: 'its container cannot be set up or started: a volume, a user, a command that is not there',
  OutOfMemory: 'it used more memory than its limit',
} as const;

export type CustomCode = keyof typeof customCodeMeanings;
