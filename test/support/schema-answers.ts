// Answers of two servers about one object, made comparable, and the one table of where they differ on purpose.

import type { FieldError } from '../../src/apiserver/schema/field-error.ts';
import { isRecord, recordsIn, textOf } from '../../src/objects/raw.ts';

export type Cause = { readonly field: string; readonly reason: string; readonly message: string };
export type Answer = { readonly object: unknown; readonly causes: readonly Cause[] };

/** Where our words are not the API server's, or differ from run to run there. The reason and the field are compared still. */
const acceptedDifferences: readonly { readonly when: RegExp; readonly reason: string }[] = [
  {
    when: /must contain unique version names|exactly one version marked as storage/,
    reason: 'the list of versions is printed under the names that its fields have in Go',
  },
  {
    when: /compilation failed|must be a valid regular expression|program instantiation failed/,
    reason: 'what exactly is wrong with an expression is worded by the parser that found it',
  },
];

/** What a real server said. */
export function theirs({ status, body }: { readonly status: number; readonly body: unknown }): Answer {
  const causes = causesOf(body);
  return settled({ object: body, causes: status < 300 || causes.length > 0 ? causes : [unexpected(body)] });
}

function unexpected(body: unknown): Cause {
  return { field: '', reason: 'not 422', message: JSON.stringify(body) };
}

/** Of a refused object only the causes count; the order of causes is random there. */
export function settled({ object, causes }: Answer): Answer {
  if (causes.length > 0) return { object: null, causes: sorted(causes.map(comparable)) };
  const { metadata: _, ...rest } = isRecord(object) ? object : {};
  return { object: rest, causes };
}

export function causesOf(body: unknown): readonly Cause[] {
  const details =
    isRecord(body) && body['kind'] === 'Status' && isRecord(body['details']) ? body['details'] : {};
  return recordsIn(details['causes']).map((cause) => ({
    field: textOf(cause['field']),
    reason: textOf(cause['reason']),
    message: textOf(cause['message']),
  }));
}

export function asCause({ path, reason, message }: FieldError): Cause {
  return { field: path, reason, message };
}

export function comparable({ field, reason, message }: Cause): Cause {
  const difference = acceptedDifferences.find(({ when }) => when.test(message));
  return { field, reason, message: difference === undefined ? message : difference.reason };
}

export function sorted(causes: readonly Cause[]): readonly Cause[] {
  return causes.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}
