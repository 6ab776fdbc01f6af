// `muster migrate`: has every object of a kind with an older version stored in the current one, and then has the API server forget
// the older one. With the rights of who runs it: the operator itself may not touch definitions. Changes no field of any object.

import { nodeReadinessEvaluationType, nodeReadinessGateRuleType } from '../api/keys.ts';
import { err, ok, type Result } from '../base/result.ts';
import { fieldsOf, type RawObject, recordsIn, textOf } from '../objects/raw.ts';
import {
  customResourceDefinitionType,
  type ObjectRef,
  type ResourceType,
  resourceName,
} from '../objects/ref.ts';
import type { KubeApi } from '../runtime/ports.ts';

/** The kinds that had another version once. */
const migrated: readonly ResourceType[] = [nodeReadinessGateRuleType, nodeReadinessEvaluationType];

const PAGE_SIZE = 200;

/** Says what it did, kind by kind; the error says what to do. What was done so far stays done, and it can be run again. */
export async function migrateStoredVersions(
  api: KubeApi,
  say: (line: string) => void,
): Promise<Result<null, string>> {
  for (const type of migrated) {
    const done = await migrateKind(api, type);
    if (done.kind === 'error') return err(`${resourceName(type)}: ${done.error}`);
    say(`${resourceName(type)}: ${done.value}`);
  }
  return ok(null);
}

async function migrateKind(api: KubeApi, type: ResourceType): Promise<Result<string, string>> {
  const ref = { type: customResourceDefinitionType, namespace: '', name: resourceName(type) };
  const found = await api.get(ref);
  if (found.kind === 'error')
    return found.error.reason === 'NotFound' ? ok('is not installed') : err(found.error.message);
  const older = storedVersionsOf(found.value).filter((version) => version !== type.version);
  if (older.length === 0) return ok(`is stored in ${type.version} alone`);
  if (storageVersionOf(found.value) !== type.version)
    return err(
      `is still stored in ${storageVersionOf(found.value)}; first run: muster crds | kubectl apply -f -`,
    );
  const rewritten = await rewriteAll(api, type);
  if (rewritten.kind === 'error') return rewritten;
  const { uid, resourceVersion } = found.value.metadata ?? {};
  // As it was before the objects were written: if somebody changes the definition meanwhile, older versions may be stored again.
  const body = { metadata: { uid, resourceVersion }, status: { storedVersions: [type.version] } };
  const patched = await api.patch(ref, { kind: 'merge', body }, { subresource: 'status' });
  if (patched.kind === 'error') return err(`${patched.error.message}; run it again`);
  return ok(`${rewritten.value} objects are stored in ${type.version}; ${older.join(', ')} is forgotten`);
}

function storedVersionsOf({ status }: RawObject): readonly string[] {
  const versions = fieldsOf(status)['storedVersions'];
  return Array.isArray(versions) ? versions.map(textOf) : [];
}

function storageVersionOf({ spec }: RawObject): string {
  const stored = recordsIn(fieldsOf(spec)['versions']).find(({ storage }) => storage === true);
  return textOf(stored?.['name']);
}

async function rewriteAll(api: KubeApi, type: ResourceType): Promise<Result<number, string>> {
  let count = 0;
  let continueToken = '';
  do {
    const page = { limit: PAGE_SIZE, ...(continueToken === '' ? {} : { continueToken }) };
    const answer = await api.list({ type }, page);
    if (answer.kind === 'error') return err(answer.error.message);
    for (const object of answer.value.items) {
      const failure = await rewrite(api, type, object);
      if (failure !== null) return err(`${object.metadata?.name}: ${failure}`);
      count++;
    }
    ({ continueToken } = answer.value);
  } while (continueToken !== '');
  return ok(count);
}

/** As it is: the server stores what it is given in the version of today. Who wrote it since has done the same. */
async function rewrite(api: KubeApi, type: ResourceType, object: RawObject): Promise<string | null> {
  const ref: ObjectRef = { type, namespace: '', name: object.metadata?.name ?? '' };
  const answer = await api.replace(ref, object);
  if (answer.kind === 'ok') return null;
  const { reason, message } = answer.error;
  return reason === 'Conflict' || reason === 'NotFound' ? null : message;
}
