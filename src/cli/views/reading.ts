// Reads lists and objects for people: all pages, and every failure in words that say what to do about it. A kind that the
// cluster does not have is empty where a command can do without it.

import { err, ok, type Result } from '../../base/result.ts';
import type { RawObject } from '../../objects/raw.ts';
import { type ObjectRef, resourceName } from '../../objects/ref.ts';
import type { Answer, ApiFailure, KubeApi, Selection } from '../../runtime/ports.ts';
import { type Complaint, viewExitCodes } from './view-command.ts';

const PAGE_SIZE = 500;

export async function listAll(api: KubeApi, selection: Selection): Promise<Answer<readonly RawObject[]>> {
  const items: RawObject[] = [];
  let continueToken = '';
  do {
    const page = await api.list(selection, {
      limit: PAGE_SIZE,
      ...(continueToken === '' ? {} : { continueToken }),
    });
    if (page.kind === 'error') return page;
    items.push(...page.value.items);
    continueToken = page.value.continueToken;
  } while (continueToken !== '');
  return ok(items);
}

/** Null where there is no such object, or no such kind. */
export async function find(api: KubeApi, ref: ObjectRef): Promise<Answer<RawObject | null>> {
  const answer = await api.get(ref);
  if (answer.kind === 'ok') return answer;
  return isAbsent(answer.error) ? ok(null) : answer;
}

/** A path that nobody serves is answered without a Status, as by something in between. */
export function isAbsent({ code }: ApiFailure): boolean {
  return code === 404;
}

/** Said of a kind that the cluster does not have. */
export const howToAdd = 'muster crds | kubectl apply -f - adds it';

export function required<T>(
  answer: Answer<T>,
  { type }: Pick<Selection, 'type'>,
): Result<T, readonly Complaint[]> {
  if (answer.kind === 'ok') return answer;
  const { error } = answer;
  const hint = isAbsent(error) ? `the cluster does not have this kind; ${howToAdd}` : '';
  return err([
    { path: resourceName(type), message: hint || failureWords(error), code: viewExitCodes.failure },
  ]);
}

export function failureWords({ reason, message }: ApiFailure): string {
  if (reason === 'Unreachable') return `the API server cannot be reached: ${message}`;
  return reason === 'Timeout' ? `the API server does not answer: ${message}` : message;
}
