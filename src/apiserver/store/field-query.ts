// Field selectors as they stand in a query: `metadata.name=a,status.phase!=Running`. Which fields a type has is its own
// affair: it is asked for each.

import { err, ok, type Result } from '../../base/result.ts';
import type { RawObject } from '../../objects/raw.ts';

/** The fields of a type by which its objects can be selected. */
export type FieldLabels = Readonly<Record<string, (object: RawObject) => string>>;

type Term = { readonly label: string; readonly value: string; readonly isEqual: boolean };

export type FieldQuery = readonly Term[];

export function parseFieldQuery(text: string, labels: FieldLabels): Result<FieldQuery, string> {
  const terms = parseFieldTerms(text);
  if (terms.kind === 'error') return terms;
  const stranger = terms.value.find(({ label }) => !Object.hasOwn(labels, label));
  return stranger === undefined ? terms : err(unknownLabel(stranger.label, labels));
}

/** Whatever the fields of the kind are. */
export function parseFieldTerms(text: string): Result<FieldQuery, string> {
  const terms: Term[] = [];
  for (const part of text.split(/(?<!\\),/).filter((each) => each !== '')) {
    const [, label = '', operator = '', value = ''] = /^(.*?)(!=|==|=)(.*)$/s.exec(part) ?? [];
    if (operator === '') return err(`invalid selector: '${text}'; can't understand '${part}'`);
    terms.push({ label, value: value.replaceAll(/\\([\\,=])/g, '$1'), isEqual: operator !== '!=' });
  }
  return ok(terms);
}

/** Kinds with fields of their own say no more than that this one is not among them. */
function unknownLabel(label: string, labels: FieldLabels): string {
  const hasOwn = Object.keys(labels).some((each) => !each.startsWith('metadata.'));
  return hasOwn
    ? `field label not supported: ${label}`
    : `${JSON.stringify(label)} is not a known field selector: only "metadata.name", "metadata.namespace"`;
}

export function fieldsMatch(query: FieldQuery, labels: FieldLabels, object: RawObject): boolean {
  return query.every(({ label, value, isEqual }) => (labels[label]?.(object) === value) === isEqual);
}

/** The one name that the query asks for, if it asks for one: then there is no need to look at the others. */
export function nameIn(query: FieldQuery): string | null {
  return query.find(({ label, isEqual }) => isEqual && label === 'metadata.name')?.value ?? null;
}
