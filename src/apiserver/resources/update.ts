// Changes an object that is there: by a whole new one or by a patch. Guards, what no update may change, the split between
// status and the rest, generations, and the end of an object whose last finalizer goes.

import { err, ok, type Result } from '../../base/result.ts';
import type { RawObject } from '../../objects/raw.ts';
import { invalid } from '../field-error.ts';
import { applyPatch, type PatchBody } from '../patch/patch.ts';
import {
  badRequest,
  conflict,
  internalError,
  invalidObject,
  modified,
  notFound,
  type Refusal,
} from '../refusal.ts';
import { metadataErrors, metadataUpdateErrors, plainFinalizerErrors } from '../registry/metadata-rules.ts';
import { sameValue, sharing, withMetadata } from '../store/stored-object.ts';
import { type Read, readBody, readPatched } from './body.ts';
import { type Core, surroundingsOf } from './core.ts';
import { createRead, warningsFor } from './create.ts';
import { type Outcome, placeOf, subjectOf, type Target, type Write, type WriteOptions } from './request.ts';

/** status: only the status is written. main: everything else. whole: the server itself writes, without a split. */
export type Part = 'main' | 'status' | 'finalize';

export function replace(core: Core, target: Target, write: Write & { readonly part: Part }): Outcome {
  const old = core.store.get(placeOf(target));
  const read = readBody(target, write.body, { options: write.options, old });
  if (read.kind === 'error') return read;
  const outcome = replaceRead(core, target, { ...write, read: read.value });
  if (outcome.kind === 'ok') return outcome;
  return err({ ...outcome.error, warnings: read.value.warnings });
}

type Replacing = { readonly read: Read; readonly options: WriteOptions; readonly part: Part };

function replaceRead(core: Core, target: Target, { read, options, part }: Replacing): Outcome {
  const old = core.store.get(placeOf(target));
  const { name = '', uid = '', resourceVersion } = read.object.metadata ?? {};
  if (name !== target.name) return err(nameMismatch(name, target));
  if (old === undefined && (!target.definition.createsOnUpdate || part !== 'main'))
    return err(notFound(subjectOf(target)));
  const found = old?.metadata?.uid ?? '';
  if (uid !== '' && uid !== found) {
    const why = `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${found}`;
    return err(conflict(subjectOf(target), why));
  }
  if (old === undefined) {
    const object = withMetadata(read.object, { resourceVersion: undefined });
    const made = createRead(core, target, { ...read, object, options });
    if (made.kind === 'error' || !options.isDryRun) return made;
    // Nothing was stored, so the version is still the one that was sent.
    return ok({ ...made.value, object: withMetadata(made.value.object, { resourceVersion }) });
  }
  return update({ core, target, old }, read, { options, part });
}

export function patch(
  core: Core,
  target: Target,
  request: { readonly patch: PatchBody; readonly options: WriteOptions; readonly part: Part },
): Outcome {
  const old = core.store.get(placeOf(target));
  if (old === undefined) {
    // A patch in a form that is not known is refused whether or not there is something to patch.
    const known = applyPatch(target.definition, {}, request.patch);
    const isForm = known.kind === 'error' && (known.error.code === 415 || known.error.code === 501);
    return err(isForm ? known.error : notFound(subjectOf(target)));
  }
  const patched = applyPatch(target.definition, target.definition.encode(old), request.patch);
  if (patched.kind === 'error') return patched;
  const name = patched.value.metadata?.name ?? '';
  if (name !== target.name) return err(nameMismatch(name, target));
  const read = readPatched(target, patched.value, { options: request.options, old });
  return read.kind === 'error' ? read : update({ core, target, old }, read.value, request);
}

type Scene = { readonly core: Core; readonly target: Target; readonly old: RawObject };

function update(
  scene: Scene,
  read: Read,
  write: { readonly options: WriteOptions; readonly part: Part },
): Outcome {
  const { core, target, old } = scene;
  const version = guard(target, read.object, old);
  if (version !== null) return err({ ...version, warnings: read.warnings });
  const next = successor(scene, read.object, write.part);
  if (next.kind === 'error') return err({ ...next.error, warnings: read.warnings });
  const reply = (object: RawObject): Outcome =>
    ok({
      code: 200,
      object: target.definition.encode(object),
      warnings: write.part === 'main' ? warningsFor(target, read, old) : read.warnings,
    });
  const object = sharing(next.value, old);
  if (object === old) return reply(old);
  if (isOver(target, object)) {
    if (!write.options.isDryRun) core.store.remove(placeOf(target));
    return reply(object);
  }
  return reply(write.options.isDryRun ? object : core.store.put(placeOf(target), object));
}

function guard(target: Target, object: RawObject, old: RawObject): Refusal | null {
  const { resourceVersion = '' } = object.metadata ?? {};
  if (resourceVersion === '' && !target.definition.allowsUnguardedUpdate) {
    const errors = [invalid('metadata.resourceVersion', 0, 'must be specified for an update')];
    return invalidObject({ ...subjectOf(target), kind: target.definition.type.plural }, errors);
  }
  if (resourceVersion === '' || resourceVersion === old.metadata?.resourceVersion) return null;
  if (!/^\d+$/.test(resourceVersion))
    return internalError(`strconv.ParseUint: parsing ${JSON.stringify(resourceVersion)}: invalid syntax`);
  return modified(subjectOf(target));
}

/** What the object becomes, with everything that this part of it may not change taken from what it was. */
function successor({ core, target, old }: Scene, wanted: RawObject, part: Part): Result<RawObject, Refusal> {
  const { definition } = target;
  const identified = withFixedMetadata(wanted, old);
  const split = partsOf(target, { wanted: identified, old, part });
  const prepared = prepare({ core, target, old }, split, part);
  const next = part === 'main' && definition.countsGeneration ? counted(target, prepared, old) : prepared;
  const errors = [
    ...metadataErrors(next, definition.nameRule),
    ...metadataUpdateErrors(next, old),
    ...(definition.allowsPlainFinalizers ? [] : plainFinalizerErrors(next)),
    ...(part === 'status' ? definition.validateStatus(next, old) : definition.validate(next, old)),
  ];
  return errors.length > 0 ? err(invalidObject(subjectOf(target, next), errors)) : ok(next);
}

function prepare({ core, target, old }: Scene, object: RawObject, part: Part): RawObject {
  const { definition } = target;
  if (part === 'main') return definition.prepareUpdate(object, old, surroundingsOf(core));
  return part === 'status' ? definition.prepareStatus(object, old) : object;
}

function withFixedMetadata(wanted: RawObject, old: RawObject): RawObject {
  const had: Readonly<Record<string, unknown>> = { ...old.metadata };
  return withMetadata(wanted, {
    uid: wanted.metadata?.uid || old.metadata?.uid,
    resourceVersion: old.metadata?.resourceVersion,
    creationTimestamp: old.metadata?.creationTimestamp,
    generation: old.metadata?.generation,
    deletionTimestamp: old.metadata?.deletionTimestamp,
    deletionGracePeriodSeconds: had['deletionGracePeriodSeconds'],
  });
}

type Split = { readonly wanted: RawObject; readonly old: RawObject; readonly part: Part };

function partsOf({ definition }: Target, { wanted, old, part }: Split): RawObject {
  if (part === 'finalize') return { ...old, spec: wanted.spec };
  if (part === 'main') {
    if (!definition.subresources.includes('status')) return wanted;
    return withField(wanted, 'status', old.status);
  }
  const metadata = definition.statusKeepsMetadata ? old.metadata : wanted.metadata;
  return withField({ ...old, ...(metadata === undefined ? {} : { metadata }) }, 'status', wanted.status);
}

function withField(object: RawObject, field: string, value: unknown): RawObject {
  const { [field]: _, ...rest } = object;
  return value === undefined ? rest : { ...rest, [field]: value };
}

function counted({ definition }: Target, object: RawObject, old: RawObject): RawObject {
  const wish = ({ metadata: _, apiVersion: __, status, ...rest }: RawObject) =>
    definition.subresources.includes('status') ? rest : { ...rest, status };
  const { generation = 0 } = old.metadata ?? {};
  return sameValue(wish(object), wish(old)) ? object : withMetadata(object, { generation: generation + 1 });
}

/** Being deleted, and nothing holds it any longer. */
function isOver({ definition }: Target, object: RawObject): boolean {
  const metadata: Readonly<Record<string, unknown>> = { ...object.metadata };
  return (
    metadata['deletionTimestamp'] !== undefined &&
    (metadata['deletionGracePeriodSeconds'] ?? 0) === 0 &&
    (object.metadata?.finalizers ?? []).length === 0 &&
    !definition.isHeldBack(object)
  );
}

function nameMismatch(name: string, { name: wanted }: Target): Refusal {
  if (name === '')
    return badRequest(
      `the name of the object (${wanted} based on URL) was undeterminable: name must be provided`,
    );
  return badRequest(`the name of the object (${name}) does not match the name on the URL (${wanted})`);
}
