// The query parameters of the API, read once: options of reads, writes, deletions and watches, or the refusal that the real
// server has for them.

import { err, ok, type Result } from '../../base/result.ts';
import { isRecord, textOf } from '../../objects/raw.ts';
import { type FieldError, forbidden, invalid, notSupported } from '../field-error.ts';
import { badRequest, internalError, invalidObject, type Refusal } from '../refusal.ts';
import { parseContinue } from '../resources/continue-token.ts';
import { badContinue, type PageRequest } from '../resources/read.ts';
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
  const continueToken = query.get('continue') ?? '';
  const timeout = Number(query.get('timeoutSeconds') ?? '');
  const isExact = query.get('resourceVersionMatch') === 'Exact';
  return ok({
    labelSelector: query.get('labelSelector') ?? '',
    fieldSelector: query.get('fieldSelector') ?? '',
    isWatch,
    page: {
      // What may be stale is served from a cache there, and whole.
      ...(limit === '' || version === '0' ? {} : { limit: Number(limit) }),
      continueToken,
      ...(isExact ? { exactRevision: Number(version) } : {}),
    },
    resourceVersion: version,
    wantsInitialEvents: isTrue(query.get('sendInitialEvents')),
    wantsBookmarks: isTrue(query.get('allowWatchBookmarks')),
    timeoutSeconds: Number.isInteger(timeout) && timeout > 0 ? timeout : null,
  });
}

/** Null for options of a list or watch that go together. */
export function optionsRefusal(query: URLSearchParams): Refusal | null {
  const errors = matchErrors(query, isTrue(query.get('watch')));
  return errors.length > 0 ? invalidOptions('ListOptions', errors) : null;
}

/** Null for a place in the history that can be looked for. */
export function versionRefusal(query: URLSearchParams): Refusal | null {
  const version = query.get('resourceVersion') ?? '';
  const continueToken = query.get('continue') ?? '';
  if (continueToken !== '' && parseContinue(continueToken) === null) return badContinue();
  if (continueToken !== '' && version !== '' && version !== '0')
    return badRequest('specifying resource version is not allowed when using continue');
  return version === '' || /^\d+$/.test(version) ? null : badVersion(version, isTrue(query.get('watch')));
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
  const errors: FieldError[] = [];
  if (version === '')
    errors.push(
      forbidden(
        'resourceVersionMatch',
        'resourceVersionMatch is forbidden unless resourceVersion is provided',
      ),
    );
  if (match !== 'Exact' && match !== 'NotOlderThan')
    errors.push(notSupported('resourceVersionMatch', match, ['Exact', 'NotOlderThan', '']));
  if (match === 'Exact' && version === '0')
    errors.push(
      forbidden('resourceVersionMatch', 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"'),
    );
  return errors;
}

export function readWriteOptions(query: URLSearchParams, kind: string): Result<WriteOptions, Refusal> {
  const dryRun = query.getAll('dryRun');
  const errors = dryRun.some((each) => each !== 'All') ? [notSupported('dryRun', dryRun, ['All'])] : [];
  const validation = query.get('fieldValidation') ?? 'Warn';
  const known: readonly FieldValidation[] = ['Ignore', 'Warn', 'Strict'];
  const fieldValidation = known.find((each) => each === validation);
  if (fieldValidation === undefined)
    return err(
      invalidOptions(kind, [
        ...errors,
        notSupported('fieldValidation', validation, ['', ...known.toSorted()]),
      ]),
    );
  if (errors.length > 0) return err(invalidOptions(kind, errors));
  return ok({ isDryRun: dryRun.length > 0, fieldValidation });
}

/** From the body, or from the query when there is no body. */
export function readDeleteOptions(query: URLSearchParams, body: string): Result<DeleteOptions, Refusal> {
  const given = body.trim() === '' ? deletionIn(query) : parsedBody(body);
  if (given === null)
    return err(badRequest('the object provided is unrecognized (must be of type DeleteOptions)'));
  const preconditions = isRecord(given['preconditions']) ? given['preconditions'] : {};
  const policy = textOf(given['propagationPolicy']);
  const policies: readonly Propagation[] = ['Foreground', 'Background', 'Orphan'];
  const propagation = policies.find((each) => each === policy);
  if (policy !== '' && propagation === undefined)
    return err(
      invalidOptions('DeleteOptions', [notSupported('propagationPolicy', policy, [...policies, 'nil'])]),
    );
  const orphans = given['orphanDependents'];
  if (policy !== '' && typeof orphans === 'boolean')
    return err(
      invalidOptions('DeleteOptions', [
        invalid('propagationPolicy', policy, 'orphanDependents and deletionPropagation cannot be both set'),
      ]),
    );
  const grace = given['gracePeriodSeconds'];
  const dryRun: readonly unknown[] = Array.isArray(given['dryRun']) ? given['dryRun'] : [];
  if (dryRun.some((each) => each !== 'All'))
    return err(invalidOptions('DeleteOptions', [notSupported('dryRun', dryRun, ['All'])]));
  const { uid, resourceVersion } = preconditions;
  return ok({
    ...(typeof uid === 'string' ? { uid } : {}),
    ...(typeof resourceVersion === 'string' ? { resourceVersion } : {}),
    ...(propagation === undefined ? {} : { propagation }),
    ...(typeof orphans === 'boolean' ? { propagation: orphans ? 'Orphan' : 'Background' } : {}),
    ...(grace === undefined ? {} : { gracePeriodSeconds: Number(grace) }),
    isDryRun: dryRun.includes('All'),
  });
}

function deletionIn(query: URLSearchParams): Readonly<Record<string, unknown>> {
  const grace = query.get('gracePeriodSeconds');
  return {
    propagationPolicy: query.get('propagationPolicy'),
    ...(grace === null ? {} : { gracePeriodSeconds: Number(grace) }),
    dryRun: query.getAll('dryRun'),
  };
}

function parsedBody(body: string): Readonly<Record<string, unknown>> | null {
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
