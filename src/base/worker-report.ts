// What a worker says about a node, as the text of its termination message: written by the worker, read by the operator.
// Never longer than a termination message may be: messages are shortened first, then times left out, no check ever is.

import { err, ok, type Result } from './result.ts';

export type CheckVerdict = 'pass' | 'fail' | 'inconclusive';

export type CheckResult = {
  readonly id: string;
  readonly severity: 'required' | 'advisory';
  readonly verdict: CheckVerdict;
  /** Why it did not pass; empty when it did. */
  readonly code: string;
  readonly message: string;
  readonly ms: number;
  readonly tries: number;
};

export type WorkerReport = {
  readonly nodeName: string;
  readonly nodeUID: string;
  /** What the worker was given to prove that it is the one that was asked. */
  readonly nonce: string;
  readonly verdict: CheckVerdict;
  /** False when the worker was stopped before every check had ended. */
  readonly isComplete: boolean;
  /** The operator is asked to copy the report to an annotation of the worker's pod. */
  readonly isForAnnotation: boolean;
  readonly checks: readonly CheckResult[];
  /** What is wrong with the configuration, when no check ran because of it. */
  readonly problems: readonly string[];
};

/** The environment variable that names the file in place of /dev/termination-log. */
export const terminationLogVariable = 'TERMINATION_LOG';
/** And the one that names a folder in place of the emptyDir for checks of the disk. */
export const scratchVariable = 'SCRATCH_DIRECTORY';
/** The kubelet cuts a termination message at this length. */
export const reportBytesMax = 4096;
export const reportLimits = { checks: 50, idLength: 20, codeLength: 20, nonceLength: 40, uidLength: 40 };

const VERSION = 1;
const verdicts: readonly CheckVerdict[] = ['fail', 'inconclusive', 'pass'];
const messageLengths = [256, 128, 64, 32, 16, 0];

export function formatReport(report: WorkerReport): string {
  const texts = messageLengths.map((length) => () => wireText(report, { length, hasTimes: true }));
  for (const text of texts) if (Buffer.byteLength(text()) <= reportBytesMax) return text();
  return wireText({ ...report, problems: [] }, { length: 0, hasTimes: false });
}

type Room = { readonly length: number; readonly hasTimes: boolean };

function wireText(report: WorkerReport, room: Room): string {
  const { nodeName, nodeUID, nonce, verdict, isComplete, isForAnnotation, checks, problems } = report;
  const groups = verdicts.flatMap((group) => {
    const entries = checks.filter((check) => check.verdict === group);
    return entries.length === 0
      ? []
      : [[group, Object.fromEntries(entries.map((check) => [check.id, wireCheck(check, room)]))]];
  });
  return JSON.stringify({
    version: VERSION,
    node: nodeName,
    uid: nodeUID,
    nonce,
    verdict,
    complete: isComplete,
    ...(isForAnnotation ? { annotate: true } : {}),
    ...(problems.length === 0
      ? {}
      : { problems: problems.map((text) => shorten(text, room.length)).filter((text) => text !== '') }),
    ...Object.fromEntries(groups),
  });
}

function wireCheck({ code, message, ms, tries, severity }: CheckResult, { length, hasTimes }: Room): object {
  const words = shorten(message, length);
  return {
    ...(code === '' ? {} : { code }),
    ...(severity === 'advisory' ? { advisory: true } : {}),
    ...(hasTimes ? { ms: Math.round(ms) } : {}),
    ...(hasTimes && tries > 1 ? { tries } : {}),
    ...(words === '' ? {} : { message: words }),
  };
}

/** Control characters come from the network and end in logs and terminals. */
function shorten(text: string, length: number): string {
  const clean = text.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu, ' ').trim();
  if (clean.length <= length) return clean;
  return length === 0 ? '' : `${clean.slice(0, length - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** The report, or why the text is none. The text comes from a node that may lie: every field is checked. */
export function parseReport(text: string): Result<WorkerReport, string> {
  if (Buffer.byteLength(text) > reportBytesMax) return err('is longer than a termination message may be');
  const wire = parseRecord(text);
  if (wire === null) return err(text.trim() === '' ? 'is empty' : 'is not a JSON object');
  if (wire['version'] !== VERSION) return err(`has version ${JSON.stringify(wire['version'])}, not 1`);
  const verdict = verdicts.find((each) => each === wire['verdict']);
  if (verdict === undefined) return err('has no verdict');
  const [nodeName, nodeUID, nonce] = [wire['node'], wire['uid'], wire['nonce']];
  if (typeof nodeName !== 'string' || typeof nodeUID !== 'string' || typeof nonce !== 'string')
    return err('does not say which node it is about');
  const checks = verdicts.flatMap((group) => parseGroup(group, wire[group]));
  const broken = checks.find((check) => check.kind === 'error');
  if (broken?.kind === 'error') return broken;
  const found = checks.flatMap((check) => (check.kind === 'ok' ? [check.value] : []));
  if (new Set(found.map(({ id }) => id)).size < found.length) return err('has two verdicts on one check');
  const problems = Array.isArray(wire['problems']) ? wire['problems'] : [];
  return ok({
    nodeName,
    nodeUID,
    nonce,
    verdict,
    isComplete: wire['complete'] === true,
    isForAnnotation: wire['annotate'] === true,
    checks: found,
    problems: problems.filter((problem) => typeof problem === 'string'),
  });
}

function parseGroup(verdict: CheckVerdict, group: unknown): readonly Result<CheckResult, string>[] {
  if (group === undefined) return [];
  if (!isRecord(group)) return [err(`holds no map of checks under ${verdict}`)];
  return Object.entries(group).map(([id, check]) => {
    if (!isRecord(check)) return err(`says nothing about the check ${id}`);
    const { code = '', message = '', ms = 0, tries = 1 } = check;
    if (typeof code !== 'string' || typeof message !== 'string') return err(`garbles the check ${id}`);
    if (typeof ms !== 'number' || typeof tries !== 'number') return err(`garbles the times of ${id}`);
    const severity = check['advisory'] === true ? 'advisory' : 'required';
    return ok({ id, severity, verdict, code, message, ms, tries });
  });
}

function parseRecord(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const parsed: unknown = JSON.parse(text);
    return isRecord(parsed) ? parsed : null;
  } catch {
    return null;
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
