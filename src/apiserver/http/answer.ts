// Outcomes as HTTP answers: objects, lists, tables, partial metadata, refusals.

import type { Clock } from '../../base/clock.ts';
import { apiVersionOf } from '../../objects/ref.ts';
import { type Refusal, statusOf } from '../refusal.ts';
import type { ResourceDefinition } from '../registry/definition.ts';
import type { Page } from '../resources/read.ts';
import type { Outcome } from '../resources/request.ts';
import { type HttpAnswer, json, jsonText, warningHeaders } from './exchange.ts';
import type { Form } from './media.ts';
import type { ObjectTexts } from './object-text.ts';
import { partialOf, type TableOptions, tableOf } from './table.ts';

export type AnswerForm = {
  readonly definition: ResourceDefinition;
  readonly form: Form;
  readonly include: TableOptions['include'];
};

export type AnswerParts = { readonly clock: Clock; readonly texts: ObjectTexts };

export function answerRefusal(refusal: Refusal): HttpAnswer {
  const { retryAfterSeconds } = refusal;
  const headers = retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) };
  return json(refusal.code, statusOf(refusal), headers);
}

export function answerOutcome(parts: AnswerParts, outcome: Outcome, wanted: AnswerForm): HttpAnswer {
  if (outcome.kind === 'error') return answerRefusal(outcome.error);
  const { code, object, warnings } = outcome.value;
  const headers = warningHeaders(warnings);
  const isOwn = object.kind === wanted.definition.type.kind;
  if (!isOwn || wanted.form === 'object') return jsonText(code, parts.texts.of(object), headers);
  if (wanted.form === 'partial') return json(code, partialOf(object), headers);
  const metadata = { resourceVersion: object.metadata?.resourceVersion };
  return json(code, tableOf([object], metadata, { ...wanted, now: parts.clock.now() }), headers);
}

export function answerPage(parts: AnswerParts, page: Page, wanted: AnswerForm): HttpAnswer {
  const { definition, form } = wanted;
  const metadata = listMetadata(page);
  const headers = warningHeaders(definition.warning === null ? [] : [definition.warning]);
  if (form === 'table')
    return json(200, tableOf(page.items, metadata, { ...wanted, now: parts.clock.now() }), headers);
  if (form === 'partial') {
    const kind = 'PartialObjectMetadataList';
    return json(
      200,
      { kind, apiVersion: 'meta.k8s.io/v1', metadata, items: page.items.map(partialOf) },
      headers,
    );
  }
  const contentType = { 'content-type': 'application/json' };
  return { kind: 'pieces', headers: { ...contentType, ...headers }, pieces: pieces(parts, page, definition) };
}

function* pieces({ texts }: AnswerParts, page: Page, definition: ResourceDefinition): Iterable<string> {
  const { listKind: kind, type } = definition;
  const head = { kind, apiVersion: apiVersionOf(type), metadata: listMetadata(page) };
  yield `${JSON.stringify(head).slice(0, -1)},"items":[`;
  let separator = '';
  for (const object of page.items) {
    yield separator + texts.inList(definition, definition.encode(object));
    separator = ',';
  }
  yield ']}\n';
}

function listMetadata({ revision, continueToken, remaining }: Page): Readonly<Record<string, unknown>> {
  return {
    resourceVersion: String(revision),
    ...(continueToken === '' ? {} : { continue: continueToken }),
    ...(remaining === null ? {} : { remainingItemCount: remaining }),
  };
}
