import { describe, expect, expectTypeOf, it } from 'vitest';
import { isRecord } from '../objects/raw.ts';
import { crdManifest, kindProblems } from './crd.ts';
import type { DisruptionLedger } from './disruption-ledger.ts';
import type { DisruptionPolicySpec } from './disruption-policy.ts';
import { kinds } from './kinds.ts';
import type { Stage, UpdatePhase } from './lifecycle-vocabulary.ts';
import type { NodeLifecycleSpec, NodeLifecycleStatus } from './node-lifecycle.ts';
import { object, text } from './schema.ts';

describe.each(kinds.map((kind) => [kind.type.kind, kind] as const))('the kind %s', (_, kind) => {
  it('is bounded, described and structural throughout', () => {
    expect(kindProblems(kind)).toEqual([]);
  });

  it.each([...kind.columns.map(({ jsonPath }) => jsonPath), ...kind.selectableFields])(
    'has the field %s',
    (path) => {
      expect(hasField({ spec: kind.spec, status: kind.status }, path)).toBe(true);
    },
  );

  it('keeps its short names apart from those of the others', () => {
    const others = kinds.filter((other) => other !== kind).flatMap(({ shortNames }) => shortNames);
    expect(kind.shortNames.filter((name) => others.includes(name))).toEqual([]);
  });
});

describe('the manifest of a kind', () => {
  it('is the same whatever the order in which the schema was written', () => {
    const [kind] = kinds;
    if (kind === undefined) throw new Error('there is no kind');
    const spec = object('Something.', { a: text('A word.', { max: 8, min: 1 }) });
    const reversed = Object.fromEntries(Object.entries(spec).toReversed());
    const manifest = JSON.stringify(crdManifest({ ...kind, spec }));
    expect(JSON.stringify(crdManifest({ ...kind, spec: reversed }))).toBe(manifest);
  });
});

describe('the types of the kinds', () => {
  it('are those of the vocabulary, deeply readonly', () => {
    expectTypeOf<NonNullable<NodeLifecycleStatus['stage']>>().toEqualTypeOf<Stage>();
    expectTypeOf<NonNullable<NodeLifecycleStatus['update']>['phase']>().toEqualTypeOf<UpdatePhase>();
    expectTypeOf<NodeLifecycleSpec>().toEqualTypeOf<{
      readonly nodeName: string;
      readonly nodeUID: string;
    }>();
    expectTypeOf<NonNullable<DisruptionPolicySpec['authority']>>().toEqualTypeOf<
      'observe' | 'gate' | 'act'
    >();
    expectTypeOf<NonNullable<DisruptionLedger['entries']>[number]['action']>().toEqualTypeOf<
      'Delete' | 'NoExecute' | 'Drain'
    >();
    expectTypeOf<NonNullable<NodeLifecycleStatus['timeline']>>().toExtend<
      readonly { readonly at: string }[]
    >();
    // @ts-expect-error a list of a record cannot be changed in place
    expectTypeOf<NonNullable<NodeLifecycleStatus['timeline']>>().toExtend<{ readonly at: string }[]>();
  });
});

describe('a kind with older versions', () => {
  const manifests = kinds.filter(({ olderVersions }) => olderVersions !== undefined).map(crdManifest);

  it.each(manifests)(
    'serves them with the schema of the stored one, and says that they are old',
    (manifest) => {
      const [stored, ...older] = (manifest['spec'] as { versions: Record<string, unknown>[] }).versions;
      expect(stored).toMatchObject({ name: 'v1alpha2', served: true, storage: true });
      expect(older.map(({ name }) => name)).toEqual(['v1alpha1']);
      for (const version of older) {
        expect(version).toMatchObject({ served: true, storage: false, deprecated: true });
        expect(version['schema']).toEqual(stored?.['schema']);
      }
    },
  );
});

/** Follows a path such as `.status.update.phase` or `.spec.pauseRequests[0].by` through schemas. */
function hasField(roots: Readonly<Record<string, unknown>>, path: string): boolean {
  if (path === '.metadata.creationTimestamp') return true;
  const steps = path
    .slice(1)
    .replaceAll(/\[(?:\d+|\?\(.*?\))\]/g, '.[]')
    .split('.');
  const found = steps.reduce<unknown>(
    (schema, step) => {
      if (!isRecord(schema)) return undefined;
      if (step === '[]') return schema['items'];
      return isRecord(schema['properties']) ? schema['properties'][step] : undefined;
    },
    { properties: roots },
  );
  return found !== undefined;
}
