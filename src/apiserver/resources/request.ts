// What is asked of a server once the path and the query have been read, and what it answers. The HTTP front and the
// in-process port speak the same language, so that both see the same server.

import type { Result } from '../../base/result.ts';
import { keyOf } from '../../objects/ref.ts';
import type { RawObject } from '../../objects/raw.ts';
import type { Refusal, Subject } from '../refusal.ts';
import type { ResourceDefinition } from '../registry/definition.ts';

/** One object of a resource, or the resource as a whole when the name is empty. */
export type Target = {
  readonly definition: ResourceDefinition;
  /** Empty for cluster-scoped resources, and for all namespaces. */
  readonly namespace: string;
  readonly name: string;
};

export type FieldValidation = 'Ignore' | 'Warn' | 'Strict';

export type WriteOptions = {
  readonly isDryRun: boolean;
  readonly fieldValidation: FieldValidation;
  /** Paths that the text of the body says twice, where somebody looked. */
  readonly duplicateFields?: readonly string[];
};

export type Write = { readonly body: unknown; readonly options: WriteOptions };

export type Propagation = 'Background' | 'Foreground' | 'Orphan';

export type DeleteOptions = {
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly propagation?: Propagation;
  readonly gracePeriodSeconds?: number;
  readonly isDryRun?: boolean;
};

export type Reply = {
  readonly code: 200 | 201;
  /** In the form of the version that was asked for, or a Status. */
  readonly object: RawObject;
  readonly warnings: readonly string[];
};

export type Outcome = Result<Reply, Refusal>;

/** An object of a custom resource is named by the kind that it says it has. */
export function subjectOf({ definition, name }: Target, object?: RawObject): Subject {
  const { group, plural, kind } = definition.type;
  const said = definition.fields === null ? object?.kind : undefined;
  return { group, kindGroup: definition.storedGroup, plural, kind: said ?? kind, name };
}

export function placeOf({ definition, namespace, name }: Target): {
  readonly bucket: string;
  readonly key: string;
} {
  return { bucket: definition.bucket, key: keyOf({ namespace, name }) };
}

/** What a success without an object is answered with. */
export function successStatus(code?: number): RawObject {
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    ...(code === undefined ? {} : { code }),
  };
}
