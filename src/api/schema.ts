// The dialect in which our kinds are written: TypeBox schemas that are structural schemas of Kubernetes too. Everything
// carries a description and a bound. Used when manifests are generated and in tests; code that runs takes only types.

import { foreignLabelKeys, foreignTaintKeys } from './keys.ts';
import { type Static, type TProperties, type TSchema, Type } from 'typebox';

/** The data that a schema describes, deeply readonly. */
export type Described<S extends TSchema> = DeepReadonly<Static<S>>;

type DeepReadonly<T> = T extends object ? { readonly [K in keyof T]: DeepReadonly<T[K]> } : T;

export type CelRule = {
  readonly rule: string;
  readonly message: string;
  /** The field that is at fault, where it is not the one that has the rule. */
  readonly fieldPath?: string;
};

export const optional = Type.Optional;

export type TextBounds = {
  readonly max: number;
  readonly min?: number;
  readonly pattern?: string;
  readonly default?: string;
  readonly rules?: readonly CelRule[];
};

export function text(description: string, { max, min, rules, ...rest }: TextBounds) {
  return Type.String({
    description,
    maxLength: max,
    ...(min === undefined ? {} : { minLength: min }),
    ...rest,
    ...validations(rules),
  });
}

/** metav1.Time; its format bounds its length. */
export function time(description: string) {
  return Type.String({ description, format: 'date-time' });
}

export type WholeBounds = {
  readonly min: number;
  readonly max?: number;
  readonly default?: number;
  readonly format?: 'int32' | 'int64';
  readonly rules?: readonly CelRule[];
};

export function whole(description: string, { min, max, format = 'int32', rules, ...rest }: WholeBounds) {
  return Type.Integer({
    description,
    format,
    minimum: min,
    ...(max === undefined ? {} : { maximum: max }),
    ...rest,
    ...validations(rules),
  });
}

export function flag(description: string, options: { readonly default?: boolean } = {}) {
  return Type.Boolean({ description, ...options });
}

export function enumOf<const V extends string>(
  description: string,
  values: readonly V[],
  { rules, ...options }: { readonly default?: V; readonly rules?: readonly CelRule[] } = {},
) {
  return Type.Unsafe<V>({
    type: 'string',
    enum: [...values],
    description,
    ...options,
    ...validations(rules),
  });
}

/** A number, or a percentage such as "25%". */
export function intOrString(
  description: string,
  { rules, ...options }: { readonly default?: number | string; readonly rules?: readonly CelRule[] } = {},
) {
  return Type.Unsafe<number | string>({
    'x-kubernetes-int-or-string': true,
    description,
    maxLength: 16,
    ...options,
    ...validations(rules),
  });
}

export type ObjectOptions = {
  readonly minProperties?: number;
  /** Replaced as a whole: a merge of two selectors would be a third that nobody wrote. */
  readonly isAtomic?: true;
  /** An empty object here lets the defaults inside apply where nothing is given. */
  readonly default?: Readonly<Record<string, never>>;
  readonly rules?: readonly CelRule[];
};

export function object<P extends TProperties>(
  description: string,
  properties: P,
  options: ObjectOptions = {},
) {
  const { rules, isAtomic, ...rest } = options;
  return Type.Object(properties, {
    description,
    ...rest,
    ...(isAtomic ? { 'x-kubernetes-map-type': 'atomic' } : {}),
    ...validations(rules),
  });
}

export type MapBounds = {
  readonly max: number;
  readonly min?: number;
  readonly valueMax: number;
  readonly valuePattern?: string;
  readonly rules?: readonly CelRule[];
};

/** TypeBox's own records become patternProperties, which a structural schema forbids. */
export function stringMap(description: string, { max, min, valueMax, valuePattern, rules = [] }: MapBounds) {
  return Type.Unsafe<Record<string, string>>({
    type: 'object',
    description,
    maxProperties: max,
    ...(min === undefined ? {} : { minProperties: min }),
    additionalProperties: {
      type: 'string',
      description: 'The value of one key.',
      maxLength: valueMax,
      ...(valuePattern === undefined ? {} : { pattern: valuePattern }),
    },
    ...validations([
      { rule: `self.all(key, size(key) <= ${keyLengthMax})`, message: 'a key is too long' },
      ...rules,
    ]),
  });
}

/** Replaced as a whole: managedFields stay small however many items there are. */
export function atomicList<S extends TSchema>(
  description: string,
  items: S,
  { max, min }: { readonly max: number; readonly min?: number },
) {
  return Type.Array(items, {
    description,
    maxItems: max,
    ...(min === undefined ? {} : { minItems: min }),
    'x-kubernetes-list-type': 'atomic',
  });
}

/** Scalars, each at most once. */
export function setOf<S extends TSchema>(description: string, items: S, bounds: { readonly max: number }) {
  return Type.Array(items, { description, maxItems: bounds.max, 'x-kubernetes-list-type': 'set' });
}

export type ListMapBounds = {
  readonly key: string;
  readonly max: number;
  readonly min?: number;
  readonly rules?: readonly CelRule[];
};

/** Objects of which no two have the same key, so that several writers can each own some. */
export function listMap<S extends TSchema>(
  description: string,
  items: S,
  { key, max, min, rules }: ListMapBounds,
) {
  return Type.Array(items, {
    description,
    maxItems: max,
    ...(min === undefined ? {} : { minItems: min }),
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': [key],
    ...validations(rules),
  });
}

/** A label, annotation or taint key: a DNS name of 253, a slash and a name of 63 characters. */
export const keyLengthMax = 317;

/** A label value, or a name that must fit into one. */
export const labelLengthMax = 63;

const dnsLabel = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';

/** As the API server checks the keys of labels and taints, but for the length of the prefix. */
export const nodeKeyPattern = `^(${dnsLabel}([.]${dnsLabel})*/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$`;
export const objectNamePattern = `^${dnsLabel}([.]${dnsLabel})*$`;
export const labelValuePattern = '^([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?$';

/** The key of a label or taint that a node can carry. */
export const nodeKey = (description: string, rules: readonly CelRule[] = []) =>
  text(description, {
    min: 1,
    max: keyLengthMax,
    pattern: nodeKeyPattern,
    rules: [
      {
        rule: `size(self.split('/')[0]) <= ${nameLengthMax}`,
        message: `the prefix of a key has at most ${nameLengthMax} characters`,
      },
      ...rules,
    ],
  });

/** The key of a taint that a rule or a policy may call its own. */
export const taintKey = (description: string) =>
  nodeKey(`${description}; none that Kubernetes or an autoscaler sets.`, [
    noneOf(foreignTaintKeys, 'the taint belongs to Kubernetes or to an autoscaler'),
  ]);

/** The same of a label. */
export const ownLabelKey = (description: string) =>
  nodeKey(`${description}; none that Kubernetes or a provider sets.`, [
    noneOf(foreignLabelKeys, 'the label is set by Kubernetes or by a provider'),
  ]);

function noneOf(keys: readonly string[], message: string): CelRule {
  return { rule: `!(self in [${keys.map((key) => `'${key}'`).join(', ')}])`, message };
}

/** The name of an object. */
export const nameLengthMax = 253;

function validations(rules: readonly CelRule[] = []) {
  return rules.length === 0 ? {} : { 'x-kubernetes-validations': [...rules] };
}
