// What a version of a definition has besides its schema: printer columns, selectable fields, the scale subresource and
// a warning for those who still use it.

import { isRecord, recordsIn, textOf } from '../../objects/raw.ts';
import { duplicate, type FieldError, invalid, required, tooMany } from './field-error.ts';
import { parseFieldPath } from './field-path.ts';
import { readSchema } from './schema-node.ts';

type Raw = Readonly<Record<string, unknown>>;

const columnTypes = ['boolean', 'date', 'integer', 'number', 'string'];
const selectableMax = 8;

export function checkVersionExtras(version: Raw, at: string): readonly FieldError[] {
  return [
    ...checkWarning(version, `${at}.deprecationWarning`),
    ...checkScale(version['subresources'], 'spec.subresources'),
    ...recordsIn(version['additionalPrinterColumns']).flatMap((column, index) =>
      checkColumn(column, `spec.additionalPrinterColumns[${index}]`),
    ),
    ...checkSelectable(version, 'spec.selectableFields'),
  ];
}

function checkWarning({ deprecated, deprecationWarning: warning }: Raw, at: string): readonly FieldError[] {
  if (warning === undefined) return [];
  if (deprecated !== true) return [invalid(at, warning, 'can only be set for deprecated versions')];
  const text = textOf(warning);
  if (text === '') return [invalid(at, text, 'must not be an empty string')];
  return Buffer.byteLength(text) > 256 ? [invalid(at, text, 'must be <= 256 characters long')] : [];
}

function checkColumn(column: Raw, at: string): readonly FieldError[] {
  const type = textOf(column['type']);
  const path = textOf(column['jsonPath']);
  const allowed = `must be one of ${columnTypes.join(',')}`;
  return [
    ...(textOf(column['name']) === '' ? [required(`${at}.name`)] : []),
    ...(type === '' ? [required(`${at}.type`, allowed)] : []),
    ...(type !== '' && !columnTypes.includes(type) ? [invalid(`${at}.type`, type, allowed)] : []),
    ...(path === '' ? [required(`${at}.JSONPath`)] : []),
    ...(path !== '' && !path.startsWith('.')
      ? [invalid(`${at}.JSONPath`, path, 'must be a simple json path starting with .')]
      : []),
  ];
}

function checkScale(subresources: unknown, at: string): readonly FieldError[] {
  const scale = isRecord(subresources) ? subresources['scale'] : undefined;
  if (!isRecord(scale)) return [];
  const wanted = [
    ['specReplicasPath', '.spec.'],
    ['statusReplicasPath', '.status.'],
  ] as const;
  return wanted.flatMap(([name, prefix]) => {
    const path = textOf(scale[name]);
    if (path === '') return [required(`${at}.scale.${name}`)];
    return path.startsWith(prefix)
      ? []
      : [invalid(`${at}.scale.${name}`, path, `should be a json path under ${prefix.slice(0, -1)}`)];
  });
}

function checkSelectable(version: Raw, at: string): readonly FieldError[] {
  const fields = recordsIn(version['selectableFields']);
  if (fields.length === 0) return [];
  const schema = readSchema(isRecord(version['schema']) ? version['schema']['openAPIV3Schema'] : undefined);
  const seen = new Set<string>();
  const errors = fields.flatMap((field, index) => {
    const here = `${at}[${index}].jsonPath`;
    const path = textOf(field['jsonPath']);
    if (path === '') return [required(here)];
    const parsed = parseFieldPath(path, schema, { brackets: 'forbidden' });
    if (parsed.kind === 'error') return [invalid(here, path, `is an invalid path: ${parsed.error}`)];
    const { root, text, schema: found } = parsed.value;
    const isRepeated = seen.has(text);
    seen.add(text);
    const detail =
      'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.';
    return [
      ...(root === 'metadata' ? [invalid(here, path, 'must not point to fields in metadata')] : []),
      ...(['string', 'boolean', 'integer'].includes(found.type) ? [] : [invalid(here, path, detail)]),
      ...(isRepeated ? [duplicate(here, path)] : []),
    ];
  });
  return seen.size > selectableMax ? [...errors, tooMany(at, seen.size, selectableMax)] : errors;
}
