// Objects as the API server sends them: parsed JSON, not yet trusted. Projections read them once, at the edge of a cache.

export type RawOwnerReference = {
  readonly blockOwnerDeletion?: boolean;
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly name?: string;
  readonly uid?: string;
  readonly controller?: boolean;
};

export type RawMetadata = {
  readonly name?: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly generation?: number;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
  readonly ownerReferences?: readonly RawOwnerReference[];
};

export type RawObject = {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: RawMetadata;
  readonly spec?: unknown;
  readonly status?: unknown;
  readonly [field: string]: unknown;
};

/** What every cached view carries: enough to key it, to guard a write and to tell incarnations apart. */
export type ObjectView = {
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
  readonly resourceVersion: string;
};

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The fields of an untrusted value; what is no record has none. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}

/** The records in an untrusted list; what is no list has none. */
export function recordsIn(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

/** A string field of an untrusted record, or the empty string. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** A map's own value: `constructor` and its like are legal label keys, and every object inherits something under them. */
export function ownValue<V>(map: Readonly<Record<string, V>>, key: string): V | undefined {
  return Object.hasOwn(map, key) ? map[key] : undefined;
}

export function viewOf(raw: RawObject): ObjectView {
  const metadata = raw.metadata ?? {};
  return {
    name: textOf(metadata.name),
    namespace: textOf(metadata.namespace),
    uid: textOf(metadata.uid),
    resourceVersion: textOf(metadata.resourceVersion),
  };
}
