// What the parts of the KubeApi contract share: objects to work on, and the two ways a call can turn out.
import type { RawObject } from '../../src/objects/raw.ts';
import { apiVersionOf, type ObjectRef, type ResourceType } from '../../src/objects/ref.ts';
import type { Answer, ApiFailure, KubeApi } from '../../src/runtime/ports.ts';

export const configMapType: ResourceType = {
  group: '',
  version: 'v1',
  plural: 'configmaps',
  kind: 'ConfigMap',
  scope: 'Namespaced',
};

export type Created = { readonly ref: ObjectRef; readonly object: RawObject };

export type Bench = {
  readonly api: () => KubeApi;
  readonly namespace: () => string;
  readonly refOf: (type: ResourceType) => ObjectRef;
  readonly create: (type: ResourceType, content?: RawObject) => Promise<Created>;
};

export function bodyOf({ type, namespace, name }: ObjectRef, content: RawObject = {}): RawObject {
  const place = namespace === '' ? {} : { namespace };
  const metadata = { name, ...place, ...content.metadata };
  return { apiVersion: apiVersionOf(type), kind: type.kind, ...content, metadata };
}

export function valueOf<T>(answer: Answer<T>): T {
  if (answer.kind === 'ok') return answer.value;
  throw new Error(`${answer.error.reason}: ${answer.error.message}`);
}

export function failureOf(answer: Answer<unknown>): ApiFailure {
  if (answer.kind === 'error') return answer.error;
  throw new Error('the call succeeded');
}

export const versionOf = (object: RawObject) => object.metadata?.resourceVersion ?? '';
