// Reads: one object, pages of a list that belong together, and what a watch selects.

import { err, ok, type Result } from '../../base/result.ts';
import type { RawObject } from '../../objects/raw.ts';
import { badRequest, expired, notFound, type Refusal } from '../refusal.ts';
import type { Entry } from '../store/bucket.ts';
import { type FieldQuery, fieldsMatch, nameIn, parseFieldQuery } from '../store/field-query.ts';
import { type LabelQuery, labelsMatch } from '../store/label-query.ts';
import { parseLabelQuery } from '../store/label-query-parse.ts';
import { formatContinue, parseContinue } from './continue-token.ts';
import type { Core } from './core.ts';
import { type Outcome, placeOf, subjectOf, type Target } from './request.ts';

export type Selection = {
  /** The name is empty, or that of the one object to look at. */
  readonly target: Target;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
};

export type PageRequest = {
  readonly limit?: number;
  readonly continueToken?: string;
  /** The list as it was at exactly this revision. */
  readonly exactRevision?: number;
};

export type Page = {
  /** As stored: the definition encodes them. */
  readonly items: readonly RawObject[];
  readonly revision: number;
  readonly continueToken: string;
  readonly remaining: number | null;
};

/** The revision in a token that goes on at whatever the state is then. */
const AT_PRESENT = -1;

export type Selects = (key: string, object: RawObject) => boolean;

export function get(core: Core, target: Target): Outcome {
  const found = core.store.get(placeOf(target));
  if (found === undefined) return err(notFound(subjectOf(target)));
  return ok({ code: 200, object: target.definition.encode(found), warnings: [] });
}

export function list(core: Core, selection: Selection, page: PageRequest): Result<Page, Refusal> {
  const queries = parseQueries(selection);
  if (queries.kind === 'error') return queries;
  const start = startOf(core, page);
  if (start.kind === 'error') return start;
  const { revision, after } = start.value;
  const { bucket } = selection.target.definition;
  const entries = core.store.entriesAt(bucket, revision);
  if (entries.kind === 'error') return err(pageExpired(page));
  const selects = selectsOf(selection, queries.value);
  const candidates = oneOf(selection, queries.value, entries.value) ?? entries.value;
  const matching = candidates.filter(({ key, object }) => key > after && selects(key, object));
  const limit = page.limit !== undefined && page.limit > 0 ? page.limit : Number.POSITIVE_INFINITY;
  const items = matching.slice(0, limit);
  const lastKey = items.at(-1)?.key ?? '';
  // A full page goes on for as long as anything follows, selected or not: who reads pages does not look ahead.
  const prefix = prefixOf(selection.target);
  const left =
    items.length < limit ? 0 : candidates.filter(({ key }) => key > lastKey && key.startsWith(prefix)).length;
  const isFiltered = (selection.labelSelector ?? '') !== '' || (selection.fieldSelector ?? '') !== '';
  return ok({
    items: items.map(({ object }) => object),
    revision,
    continueToken: left > 0 ? formatContinue(revision, lastKey) : '',
    remaining: left > 0 && !isFiltered ? left : null,
  });
}

/** What a list or watch of this selection sees, or why the selection cannot be read. */
export function selector(selection: Selection): Result<Selects, Refusal> {
  const queries = parseQueries(selection);
  return queries.kind === 'error' ? queries : ok(selectsOf(selection, queries.value));
}

type Queries = { readonly labels: LabelQuery; readonly fields: FieldQuery };

function parseQueries({
  target,
  labelSelector = '',
  fieldSelector = '',
}: Selection): Result<Queries, Refusal> {
  const labels = parseLabelQuery(labelSelector);
  if (labels.kind === 'error') return err(badRequest(labels.error));
  const fields = parseFieldQuery(fieldSelector, target.definition.fieldLabels);
  if (fields.kind === 'error') return err(badRequest(fields.error));
  return ok({ labels: labels.value, fields: fields.value });
}

function selectsOf({ target }: Selection, { labels, fields }: Queries): Selects {
  const { definition, name } = target;
  const prefix = prefixOf(target);
  return (key, object) =>
    key.startsWith(prefix) &&
    (name === '' || object.metadata?.name === name) &&
    labelsMatch(labels, object.metadata?.labels ?? {}) &&
    fieldsMatch(fields, definition.fieldLabels, object);
}

/** What the keys of the namespace begin with. */
function prefixOf({ definition, namespace }: Target): string {
  return definition.type.scope === 'Namespaced' && namespace !== '' ? `${namespace}/` : '';
}

/** A selection by name needs no look at the others: the way kubectl waits for one object. */
function oneOf(
  { target }: Selection,
  { fields }: Queries,
  entries: readonly Entry[],
): readonly Entry[] | null {
  const name = nameIn(fields);
  if (name === null || (target.definition.type.scope === 'Namespaced' && target.namespace === ''))
    return null;
  const { key } = placeOf({ ...target, name });
  return entries.filter((entry) => entry.key === key);
}

function startOf(core: Core, page: PageRequest): Result<{ revision: number; after: string }, Refusal> {
  const { continueToken = '', exactRevision } = page;
  if (continueToken === '') return ok({ revision: exactRevision ?? core.store.revision, after: '' });
  const token = parseContinue(continueToken);
  if (token === null) return err(badContinue());
  const { revision, after } = token;
  return ok({ revision: revision === AT_PRESENT ? core.store.revision : revision, after });
}

export function badContinue(): Refusal {
  return badRequest('invalid continue token: continue key is not valid');
}

function pageExpired({ continueToken = '' }: PageRequest): Refusal {
  if (continueToken === '') return expired('The resourceVersion for the provided list is too old.');
  const refusal = expired(
    'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.',
  );
  const { after = '' } = parseContinue(continueToken) ?? {};
  return { ...refusal, continueToken: formatContinue(AT_PRESENT, after) };
}
