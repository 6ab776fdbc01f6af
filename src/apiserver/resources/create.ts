// Creates an object: identity, defaults of its kind, validation, and the namespace that must be there to hold it.

import { err, ok, type Result } from '../../base/result.ts';
import { formatTime } from '../../base/timestamp.ts';
import { type RawObject, textOf } from '../../objects/raw.ts';
import {
  alreadyExists,
  forbiddenFor,
  internalError,
  invalidObject,
  notFound,
  type Refusal,
} from '../refusal.ts';
import type { FieldError } from '../field-error.ts';
import type { ResourceDefinition } from '../registry/definition.ts';
import { namespaceType } from '../registry/kinds/namespace.ts';
import { metadataErrors, plainFinalizerErrors, plainFinalizerWarnings } from '../registry/metadata-rules.ts';
import { withMetadata } from '../store/stored-object.ts';
import { type Read, readBody } from './body.ts';
import { type Core, generatedName, newUid, surroundingsOf } from './core.ts';
import { type Outcome, placeOf, subjectOf, type Target, type Write } from './request.ts';

export function create(core: Core, target: Target, { body, options }: Write): Outcome {
  const read = readBody(target, body, { options });
  return read.kind === 'error' ? read : createRead(core, target, { ...read.value, options });
}

/** What was read from a body already becomes an object. */
export function createRead(
  core: Core,
  target: Target,
  { object, warnings, options }: Read & Pick<Write, 'options'>,
): Outcome {
  const born = bear(core, target, object);
  if (born.kind === 'error') return err({ ...born.error, warnings });
  const place = placeOf({ ...target, name: born.value.metadata?.name ?? '' });
  const existing = core.store.get(place);
  if (existing !== undefined) {
    const isLeaving = existing.metadata?.deletionTimestamp !== undefined;
    const subject = { ...subjectOf(target), name: born.value.metadata?.name ?? '' };
    const refusal = alreadyExists(subject, isLeaving ? 'leaving' : 'staying');
    return err({ ...refusal, warnings: warningsFor(target, { object, warnings }) });
  }
  const stored = options.isDryRun ? born.value : core.store.put(place, born.value);
  return ok({
    code: 201,
    object: target.definition.encode(stored),
    warnings: warningsFor(target, { object, warnings }),
  });
}

/** The object as it will be stored, or why it will not be. */
function bear(core: Core, target: Target, object: RawObject): Result<RawObject, Refusal> {
  if (textOf(object.metadata?.resourceVersion) !== '')
    return err(internalError('resourceVersion should not be set on objects to be created'));
  const named = withIdentity(core, target, object);
  const name = named.metadata?.name ?? '';
  const homeless = namespaceRefusal(core, { ...target, name });
  if (homeless !== null) return err(homeless);
  const prepared = target.definition.prepareCreate(named, surroundingsOf(core));
  const { definition } = target;
  const errors = [...metadataErrorsOf(definition, prepared), ...definition.validate(prepared, null)];
  return errors.length > 0
    ? err(invalidObject({ ...subjectOf(target, prepared), name }, errors))
    : ok(prepared);
}

function withIdentity({ clock, random }: Core, { definition }: Target, object: RawObject): RawObject {
  const { name = '', generation } = object.metadata ?? {};
  const generateName = textOf(
    object.metadata && 'generateName' in object.metadata ? object.metadata.generateName : '',
  );
  return withMetadata(object, {
    name: name === '' && generateName !== '' ? generatedName(generateName, random) : name || undefined,
    uid: newUid(random),
    creationTimestamp: formatTime(clock.now()),
    generation: definition.countsGeneration ? 1 : generation,
    deletionTimestamp: undefined,
    deletionGracePeriodSeconds: undefined,
  });
}

function metadataErrorsOf(definition: ResourceDefinition, object: RawObject): readonly FieldError[] {
  return [
    ...metadataErrors(object, definition.nameRule),
    ...(definition.allowsPlainFinalizers ? [] : plainFinalizerErrors(object)),
  ];
}

/** Null when the namespace can take the object. */
function namespaceRefusal(core: Core, target: Target): Refusal | null {
  const { namespace } = target;
  if (target.definition.type.scope === 'Cluster') return null;
  const found = core.store.get({ bucket: namespaceType.plural, key: namespace });
  if (found === undefined) return notFound({ ...namespaceType, name: namespace });
  if (found.metadata?.deletionTimestamp === undefined) return null;
  const why = `unable to create new content in namespace ${namespace} because it is being terminated`;
  const cause = {
    reason: 'NamespaceTerminating',
    message: `namespace ${namespace} is being terminated`,
    field: 'metadata.namespace',
  };
  return forbiddenFor(subjectOf(target), why, [cause]);
}

/** Of a write that is right in itself: those of its reading, and what is allowed but not wise. */
export function warningsFor(
  { definition }: Target,
  { object, warnings }: Read,
  old?: RawObject,
): readonly string[] {
  return definition.fields === null ? [...warnings, ...plainFinalizerWarnings(object, old)] : warnings;
}
