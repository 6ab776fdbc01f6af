// The options of `muster worker --mode=daemonset`, declared once. Their variables are those of the tool whose way it is; what
// those can no longer say is listed here too, so that nobody is left to guess.

import { verificationKeys } from '../api/keys.ts';
import { taintKeyProblem } from '../api/own-keys.ts';
import { retryBackoffs, verificationDefaults as defaults } from '../api/verification-vocabulary.ts';
import { err, ok, type Problem, type Result } from '../base/result.ts';
import { parseTaintId, type TaintId, taintEffects, taintId } from '../objects/taint.ts';
import { logLevels } from './line-log.ts';
import { choice, duration, flagSwitch, nodeValue, ownLabel, taintKey, whole } from './option-kinds.ts';
import { option, type OptionKind, type OptionList, type ValuesOf } from './options.ts';

/** Comma-separated in a flag, a list in a config file. */
const taintIds: OptionKind<readonly TaintId[]> = {
  placeholder: '<key:effect,...>',
  read(raw) {
    const items: unknown = typeof raw === 'string' ? raw.split(',').map((item) => item.trim()) : raw;
    if (!Array.isArray(items)) return err(`must be a list of key:effect, not ${JSON.stringify(raw)}`);
    const problems = items.flatMap((item: unknown) => taintIdProblem(item) ?? []);
    return problems.length > 0 ? err(problems.join('; ')) : ok(items.map(String));
  },
};

function taintIdProblem(item: unknown): string | null {
  if (typeof item !== 'string') return `must be key:effect, not ${JSON.stringify(item)}`;
  const { key, effect } = parseTaintId(item);
  const isEffect = taintEffects.some((each) => each === effect);
  return isEffect
    ? taintKeyProblem(key)
    : `${JSON.stringify(item)} must end in ${taintEffects.map((each) => `:${each}`).join(' or ')}`;
}

export const daemonsetOptions = {
  initialTimeoutMs: option(duration({ min: '1s', max: '24h' }), {
    flag: 'initial-timeout',
    key: 'initialTimeout',
    env: 'INITIAL_TIMEOUT',
    fallback: 300_000,
    fallbackText: '5m',
    help: 'when it gives up, retries included',
  }),
  attemptsMax: option(whole({ min: 1, max: 100 }), {
    flag: 'max-retries',
    key: 'maxRetries',
    env: 'MAX_RETRIES',
    fallback: defaults.maxRetries,
    fallbackText: String(defaults.maxRetries),
    help: 'how often all checks are run before it gives up, the first time included',
  }),
  backoff: option(choice(retryBackoffs), {
    flag: 'retry-backoff',
    key: 'retryBackoff',
    env: 'RETRY_BACKOFF',
    fallback: defaults.retryBackoff,
    help: 'the pause between two runs: 1, 2, 4, 8, 16 and then 30 seconds, or always 5',
  }),
  taintKey: option(taintKey, {
    flag: 'taint-key',
    key: 'taintKey',
    env: 'TAINT_KEY',
    fallback: verificationKeys.taint,
    help: 'the taint that goes when every required check has passed',
  }),
  taintEffect: option(choice(taintEffects), {
    flag: 'taint-effect',
    key: 'taintEffect',
    env: 'TAINT_EFFECT',
    fallback: defaults.taintEffect,
    help: 'its effect; the same key with another effect is another taint and stays',
  }),
  moreTaints: option(taintIds, {
    flag: 'more-taints',
    key: 'moreTaints',
    fallback: [],
    help: 'taints that go with it',
  }),
  verifiedLabel: option(ownLabel, {
    flag: 'verified-label',
    key: 'verifiedLabel',
    env: 'VERIFIED_LABEL',
    fallback: verificationKeys.verifiedLabel,
    help: 'the label that the node gets; a node that has it and none of the taints is left alone',
  }),
  verifiedLabelValue: option(nodeValue, {
    flag: 'verified-label-value',
    key: 'verifiedLabelValue',
    env: 'VERIFIED_LABEL_VALUE',
    fallback: defaults.labelValue,
    help: 'its value',
  }),
  isDryRun: option(flagSwitch, {
    flag: 'dry-run',
    key: 'dryRun',
    env: 'DRY_RUN',
    fallback: false,
    help: 'checks the node and says what it would write, and writes nothing',
  }),
  isDeleting: option(flagSwitch, {
    flag: 'delete-failed-node',
    key: 'deleteFailedNode',
    env: 'DELETE_FAILED_NODE',
    fallback: false,
    help: 'must not be true: a worker never deletes a node',
  }),
  logLevel: option(choice(logLevels), {
    flag: 'log-level',
    key: 'logging.level',
    env: 'LOG_LEVEL',
    fallback: 'info',
    help: 'the least important line that is logged',
  }),
  logFormat: option(choice(['json', 'text']), {
    flag: 'log-format',
    key: 'logging.format',
    env: 'LOG_FORMAT',
    fallback: 'json',
    help: 'how a line looks; lines go to standard error',
  }),
} satisfies OptionList;

type DaemonsetValues = ValuesOf<typeof daemonsetOptions>;

export type DaemonsetSettings = DaemonsetValues & {
  /** Every taint that goes. */
  readonly taints: readonly TaintId[];
};

export function readDaemonsetSettings(
  values: DaemonsetValues,
): Result<DaemonsetSettings, readonly Problem[]> {
  if (values.isDeleting)
    return err([
      {
        path: 'DELETE_FAILED_NODE',
        message:
          'is true, but a worker never deletes a node: it sees no other node and cannot tell a bad one from a bad cluster; leave it out',
      },
    ]);
  const first = taintId({ key: values.taintKey, effect: values.taintEffect });
  return ok({ ...values, taints: [...new Set([first, ...values.moreTaints])] });
}

/** Variables of the earlier tool that say nothing here, each with the reason. Set, they are told about and change nothing. */
export const retiredVariables: Readonly<Record<string, string>> = {
  TAINT_VALUE: 'a taint is known by its key and effect, whatever its value',
  ENABLE_METRICS: 'a worker serves no metrics; its report says what it found',
  METRICS_PORT: 'a worker serves no metrics; its report says what it found',
  KLOG_VERBOSITY: 'there is no klog; see LOG_LEVEL',
};
