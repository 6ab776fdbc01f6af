// Outcomes as HTTP answers: objects, lists, tables, partial metadata, refusals.

import type { Clock } from '../../base/clock.ts';
import type { RawObject } from '../../objects/raw.ts';
import { apiVersionOf } from '../../objects/ref.ts';
import { type Refusal, statusOf } from '../refusal.ts';
import type { ResourceDefinition } from '../registry/definition.ts';
import type { Page } from '../resources/read.ts';
import type { Outcome } from '../resources/request.ts';
import { type HttpAnswer, json, jsonText, warningHeaders } from './exchange.ts';
import type { Form } from './media.ts';
import type { ObjectTexts } from './object-text.ts';
import { type ListMetadata, partialOf, rowOf, tableHead, type TableOptions, tableOf } from './table.ts';

export type AnswerForm = {
  readonly definition: ResourceDefinition;
  readonly form: Form;
  readonly include: TableOptions['include'];
};

export type AnswerParts = { readonly clock: Clock; readonly texts: ObjectTexts };

export function answerRefusal(refusal: Refusal): HttpAnswer {
  const { retryAfterSeconds, warnings = [] } = refusal;
  const retry = retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) };
  return json(refusal.code, statusOf(refusal), { ...retry, ...warningHeaders(warnings) });
}

export function answerOutcome(parts: AnswerParts, outcome: Outcome, wanted: AnswerForm): HttpAnswer {
  if (outcome.kind === 'error') return answerRefusal(outcome.error);
  const { code, object, warnings } = outcome.value;
  const headers = warningHeaders(warnings);
  const isOwn = object.kind === wanted.definition.type.kind;
  if (!isOwn || wanted.form === 'object') return jsonText(code, parts.texts.of(object), headers);
  if (wanted.form === 'partial') return json(code, partialOf(object), headers);
  const metadata = { resourceVersion: object.metadata?.resourceVersion };
  const stored = wanted.definition.toStored(object);
  return json(code, tableOf([stored], metadata, { ...wanted, now: parts.clock.now() }), headers);
}

/** Piece by piece, whatever the form: ten thousand objects in one text would hold up everybody. */
export function answerPage(parts: AnswerParts, page: Page, wanted: AnswerForm): HttpAnswer {
  const headers = { 'content-type': 'application/json' };
  const { head, field, text } = listForm(parts, listMetadata(page, wanted.definition), wanted);
  return {
    kind: 'pieces',
    headers,
    pieces: pieces(`${JSON.stringify(head).slice(0, -1)},"${field}":[`, page.items, text),
  };
}

type ListForm = {
  readonly head: RawObject;
  /** Where the objects stand. */
  readonly field: 'items' | 'rows';
  readonly text: (object: RawObject) => string;
};

function listForm({ clock, texts }: AnswerParts, metadata: ListMetadata, wanted: AnswerForm): ListForm {
  const { definition, form } = wanted;
  switch (form) {
    case 'table': {
      const options = { ...wanted, now: clock.now() };
      const text = (object: RawObject) => JSON.stringify(rowOf(object, options));
      return { head: tableHead(metadata, options), field: 'rows', text };
    }
    case 'partial': {
      const head = { kind: 'PartialObjectMetadataList', apiVersion: 'meta.k8s.io/v1', metadata };
      return { head, field: 'items', text: (object) => JSON.stringify(partialOf(object)) };
    }
    case 'object': {
      const head = { kind: definition.listKind, apiVersion: apiVersionOf(definition.type), metadata };
      const text = (object: RawObject) => texts.inList(definition, definition.encode(object));
      return { head, field: 'items', text };
    }
  }
}

function* pieces(
  head: string,
  objects: readonly RawObject[],
  text: (object: RawObject) => string,
): Iterable<string> {
  yield head;
  let separator = '';
  for (const object of objects) {
    yield separator + text(object);
    separator = ',';
  }
  yield ']}\n';
}

/** Lists of custom resources say that nothing follows, lists of built-in kinds are silent about it. */
function listMetadata(
  { revision, continueToken, remaining }: Page,
  { fields }: ResourceDefinition,
): ListMetadata {
  return {
    ...(continueToken === '' && fields !== null ? {} : { continue: continueToken }),
    ...(remaining === null ? {} : { remainingItemCount: remaining }),
    resourceVersion: String(revision),
  };
}
