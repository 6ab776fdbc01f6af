// How list and map types may be used in a schema.

import { type FieldError, forbidden, invalid, notSupported, required } from './field-error.ts';
import type { SchemaNode } from './schema-node.ts';

export function checkListKeywords(schema: SchemaNode, path: string): readonly FieldError[] {
  return [
    ...checkMapType(schema, path),
    ...checkListType(schema, path),
    ...checkListKeys(schema, path),
    ...(schema.listType === 'map' ? checkListMap(schema, path) : []),
    ...checkNullable(schema, path),
  ];
}

function checkMapType({ mapType, type }: SchemaNode, path: string): readonly FieldError[] {
  if (mapType === null) return [];
  return [
    ...typeOf({ type, wanted: 'object', keyword: 'x-kubernetes-map-type' }, path),
    ...(['atomic', 'granular'].includes(mapType)
      ? []
      : [notSupported(`${path}.x-kubernetes-map-type`, mapType, ['atomic', 'granular'])]),
  ];
}

function checkListType(schema: SchemaNode, path: string): readonly FieldError[] {
  const { listType, type, items } = schema;
  if (listType === null) return [];
  const typed = typeOf({ type, wanted: 'array', keyword: 'x-kubernetes-list-type' }, path);
  const known = ['atomic', 'set', 'map'].includes(listType)
    ? []
    : [notSupported(`${path}.x-kubernetes-list-type`, listType, ['atomic', 'set', 'map'])];
  if (typed.length > 0 || listType !== 'set' || items === null) return [...typed, ...known];
  const detail = 'must be atomic as item of a list with x-kubernetes-list-type=set';
  if (items.type === 'array' && items.listType !== null && items.listType !== 'atomic')
    return [...known, invalid(`${path}.items.x-kubernetes-list-type`, items.listType, detail)];
  if (items.type === 'object' && items.mapType !== 'atomic')
    return [...known, invalid(`${path}.items.x-kubernetes-map-type`, items.listType, detail)];
  return known;
}

type Typed = { readonly type: string; readonly wanted: string; readonly keyword: string };

function typeOf({ type, wanted, keyword }: Typed, path: string): readonly FieldError[] {
  if (type === wanted) return [];
  const detail = `must be ${wanted} if ${keyword} is specified`;
  return [type === '' ? required(`${path}.type`, detail) : invalid(`${path}.type`, type, detail)];
}

function checkListKeys({ listKeys, listType }: SchemaNode, path: string): readonly FieldError[] {
  if (listKeys.length === 0 || listType === 'map') return [];
  const at = `${path}.x-kubernetes-list-type`;
  const detail = 'must be map if x-kubernetes-list-map-keys is non-empty';
  return [listType === null ? required(at, detail) : invalid(at, listType, detail)];
}

function checkListMap({ listKeys, items }: SchemaNode, path: string): readonly FieldError[] {
  const at = `${path}.x-kubernetes-list-map-keys`;
  const missing =
    listKeys.length === 0 ? [required(at, 'must not be empty if x-kubernetes-list-type is map')] : [];
  if (items === null)
    return [...missing, required(`${path}.items`, 'must have a schema if x-kubernetes-list-type is map')];
  if (items.type !== 'object')
    return [
      ...missing,
      invalid(
        `${path}.items.type`,
        items.type,
        "must be object if parent array's x-kubernetes-list-type is map",
      ),
    ];
  const keys = listKeys.flatMap((key, index) => {
    const property = items.properties.get(key);
    const repeated =
      listKeys.indexOf(key) < index ? [invalid(at, listKeys, 'must not contain duplicate entries')] : [];
    if (property === undefined)
      return [invalid(at, listKeys, 'entries must all be names of item properties'), ...repeated];
    const detail = "must be a scalar type if parent array's x-kubernetes-list-type is map";
    const isScalar = property.type !== 'array' && property.type !== 'object';
    return [
      ...(isScalar ? [] : [invalid(`${path}.items.properties[${key}].type`, items.type, detail)]),
      ...repeated,
    ];
  });
  return [...missing, ...keys];
}

function checkNullable({ listType, listKeys, items }: SchemaNode, path: string): readonly FieldError[] {
  if (items === null || (listType !== 'set' && listType !== 'map')) return [];
  const whole = items.isNullable
    ? [forbidden(`${path}.items.nullable`, `cannot be nullable when x-kubernetes-list-type is ${listType}`)]
    : [];
  if (listType === 'set') return whole;
  const because = 'this property is in x-kubernetes-list-map-keys, so it';
  const keys = listKeys.flatMap((key) => {
    const property = items.properties.get(key);
    if (property === undefined) return [];
    const at = `${path}.items.properties[${key}]`;
    const isPresent = items.required.includes(key) || property.default !== undefined;
    return [
      ...(isPresent
        ? []
        : [required(`${at}.default`, `${because} must have a default or be a required property`)]),
      ...(property.isNullable ? [forbidden(`${at}.nullable`, `${because} cannot be nullable`)] : []),
    ];
  });
  return [...whole, ...keys];
}
