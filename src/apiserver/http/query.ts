// The query parameters of the API, read once: options of reads, writes, deletions and watches, or the refusal that the real
// server has for them.

import { err, ok, type Result } from '../../base/result.ts';
import { isRecord, textOf } from '../../objects/raw.ts';
import { type FieldError, forbidden, notSupported } from '../field-error.ts';
import { badRequest, internalError, invalidObject, type Refusal } from '../refusal.ts';
import type { PageRequest } from '../resources/read.ts';
import type { DeleteOptions, FieldValidation, Propagation, WriteOptions } from '../resources/request.ts';

export type ListQuery = {
  readonly labelSelector: string;
  readonly fieldSelector: string;
  readonly isWatch: boolean;
  readonly page: PageRequest;
  /** Empty when none was given. */
  readonly resourceVersion: string;
  readonly wantsInitialEvents: boolean;
  readonly wantsBookmarks: boolean;
  readonly timeoutSeconds: number | null;
};

export function readListQuery(query: URLSearchParams): Result<ListQuery, Refusal> {
  const limit = query.get('limit') ?? '';
  if (limit !== '' && !/^-?\d+$/.test(limit))
    return err(badRequest(`strconv.ParseInt: parsing ${JSON.stringify(limit)}: invalid syntax`));
  const isWatch = isTrue(query.get('watch'));
  const version = query.get('resourceVersion') ?? '';
  const errors = matchErrors(query, isWatch);
  if (errors.length > 0) return err(invalidOptions('ListOptions', errors));
  if (version !== '' && !/^\d+$/.test(version)) return err(badVersion(version, isWatch));
  const timeout = Number(query.get('timeoutSeconds') ?? '');
  const isExact = query.get('resourceVersionMatch') === 'Exact';
  return ok({
    labelSelector: query.get('labelSelector') ?? '',
    fieldSelector: query.get('fieldSelector') ?? '',
    isWatch,
    page: {
      ...(limit === '' ? {} : { limit: Number(limit) }),
      continueToken: query.get('continue') ?? '',
      ...(isExact ? { exactRevision: Number(version) } : {}),
    },
    resourceVersion: version,
    wantsInitialEvents: isTrue(query.get('sendInitialEvents')),
    wantsBookmarks: isTrue(query.get('allowWatchBookmarks')),
    timeoutSeconds: Number.isInteger(timeout) && timeout > 0 ? timeout : null,
  });
}

function matchErrors(query: URLSearchParams, isWatch: boolean): readonly FieldError[] {
  const match = query.get('resourceVersionMatch') ?? '';
  const version = query.get('resourceVersion') ?? '';
  const isInitial = query.has('sendInitialEvents');
  if (isInitial && !isWatch)
    return [forbidden('sendInitialEvents', 'sendInitialEvents is forbidden for list')];
  if (isWatch) {
    if (isInitial && match !== 'NotOlderThan')
      return [
        forbidden(
          'resourceVersionMatch',
          'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan',
        ),
      ];
    if (!isInitial && match !== '')
      return [
        forbidden(
          'resourceVersionMatch',
          'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided',
        ),
      ];
    return [];
  }
  if (match === '') return [];
  if (version === '')
    return [
      forbidden(
        'resourceVersionMatch',
        'resourceVersionMatch is forbidden unless resourceVersion is provided',
      ),
    ];
  if (match !== 'Exact' && match !== 'NotOlderThan')
    return [notSupported('resourceVersionMatch', match, ['Exact', 'NotOlderThan', ''])];
  if (match === 'Exact' && version === '0')
    return [
      forbidden('resourceVersionMatch', 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"'),
    ];
  return [];
}

export function readWriteOptions(query: URLSearchParams, kind: string): Result<WriteOptions, Refusal> {
  const dryRun = query.getAll('dryRun');
  const errors = dryRun.some((each) => each !== 'All') ? [notSupported('dryRun', dryRun, ['All'])] : [];
  const validation = query.get('fieldValidation') ?? 'Warn';
  const known: readonly FieldValidation[] = ['Ignore', 'Warn', 'Strict'];
  const fieldValidation = known.find((each) => each === validation);
  if (fieldValidation === undefined)
    return err(invalidOptions(kind, [...errors, notSupported('fieldValidation', validation, known)]));
  if (errors.length > 0) return err(invalidOptions(kind, errors));
  return ok({ isDryRun: dryRun.length > 0, fieldValidation });
}

/** From the body, and from the query where the body is silent. */
export function readDeleteOptions(query: URLSearchParams, body: string): Result<DeleteOptions, Refusal> {
  const given = parsedBody(body);
  if (given === null)
    return err(badRequest('the object provided is unrecognized (must be of type DeleteOptions)'));
  const preconditions = isRecord(given['preconditions']) ? given['preconditions'] : {};
  const policy = textOf(given['propagationPolicy']) || (query.get('propagationPolicy') ?? '');
  const policies: readonly Propagation[] = ['Foreground', 'Background', 'Orphan'];
  const propagation = policies.find((each) => each === policy);
  if (policy !== '' && propagation === undefined)
    return err(
      invalidOptions('DeleteOptions', [notSupported('propagationPolicy', policy, [...policies, 'nil'])]),
    );
  const grace = given['gracePeriodSeconds'] ?? query.get('gracePeriodSeconds') ?? undefined;
  const dryRun = [...query.getAll('dryRun'), ...(Array.isArray(given['dryRun']) ? given['dryRun'] : [])];
  const { uid, resourceVersion } = preconditions;
  return ok({
    ...(typeof uid === 'string' ? { uid } : {}),
    ...(typeof resourceVersion === 'string' ? { resourceVersion } : {}),
    ...(propagation === undefined ? {} : { propagation }),
    ...(grace === undefined ? {} : { gracePeriodSeconds: Number(grace) }),
    isDryRun: dryRun.includes('All'),
  });
}

function parsedBody(body: string): Readonly<Record<string, unknown>> | null {
  if (body.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(body);
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}

function invalidOptions(kind: string, errors: readonly FieldError[]): Refusal {
  return invalidObject({ group: 'meta.k8s.io', plural: kind, kind, name: '' }, errors);
}

/** A list is refused for it, a watch breaks on it: as the real server does. */
function badVersion(version: string, isWatch: boolean): Refusal {
  const why = `resourceVersion: Invalid value: ${JSON.stringify(version)}: strconv.ParseUint: parsing ${JSON.stringify(version)}: invalid syntax`;
  return isWatch ? internalError(why) : badRequest(`invalid resource version: ${why}`);
}

function isTrue(value: string | null): boolean {
  return value === 'true' || value === '1';
}
