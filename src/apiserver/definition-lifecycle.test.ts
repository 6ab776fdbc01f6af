import { describe, expect, it } from 'vitest';
import { startEmbeddedServer } from '../../test/support/embedded-server.ts';
import { isRecord } from '../objects/raw.ts';
import type { SchemaCompiler } from './schema-port.ts';

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const widgets = '/apis/example.dev/v1/namespaces/default/widgets';

const version = (name: string, more: object = {}) => ({
  name,
  served: true,
  storage: false,
  schema: { openAPIV3Schema: { type: 'object' } },
  subresources: { status: {} },
  ...more,
});

const definition = (more: object = {}) => ({
  metadata: { name: 'widgets.example.dev' },
  spec: {
    group: 'example.dev',
    scope: 'Namespaced',
    names: { plural: 'widgets', kind: 'Widget', shortNames: ['wi'] },
    versions: [
      version('v1', {
        storage: true,
        selectableFields: [{ jsonPath: '.spec.color' }],
        additionalPrinterColumns: [{ name: 'Color', type: 'string', jsonPath: '.spec.color' }],
      }),
      version('v1alpha1', { deprecated: true }),
    ],
    ...more,
  },
});

const widget = (name: string, more: object = {}) => ({
  apiVersion: 'example.dev/v1',
  kind: 'Widget',
  metadata: { name },
  spec: { color: 'red' },
  ...more,
});

function scene(schemas?: SchemaCompiler) {
  const embedded = startEmbeddedServer(schemas === undefined ? {} : { schemas });
  const made = embedded.call('POST', definitions, definition());
  return { ...embedded, made };
}

describe('a definition', () => {
  it('is established at once and its kind served', () => {
    const { call, made } = scene();
    expect(made).toMatchObject({
      code: 201,
      body: { spec: { names: { singular: 'widget', listKind: 'WidgetList' } } },
    });
    const { status } = call('GET', `${definitions}/widgets.example.dev`).body;
    expect(status.conditions).toContainEqual(
      expect.objectContaining({ type: 'Established', status: 'True' }),
    );
    expect(status.storedVersions).toEqual(['v1']);
    expect(call('GET', '/apis/example.dev').body.preferredVersion.version).toBe('v1');
    expect(call('GET', '/apis/example.dev/v1').body.resources).toContainEqual(
      expect.objectContaining({ name: 'widgets/status' }),
    );
  });

  it.each([
    [
      'a name that is not its own',
      { ...definition(), metadata: { name: 'wrong' } },
      'must be spec.names.plural+"."+spec.group',
    ],
    ['no storage version', definition({ versions: [version('v1')] }), 'exactly one version'],
    [
      'a conversion by webhook',
      definition({ conversion: { strategy: 'Webhook' } }),
      'Unsupported value: "Webhook"',
    ],
  ])('is refused with %s', (_sentence, body, words) => {
    const { call } = startEmbeddedServer();
    expect(call('POST', definitions, body)).toMatchObject({
      code: 422,
      body: { message: expect.stringContaining(words) },
    });
  });

  it('takes its objects with it', async () => {
    const { call, settle } = scene();
    call('POST', widgets, widget('w', { metadata: { name: 'w', finalizers: ['muster.dev/hold'] } }));
    call('DELETE', `${definitions}/widgets.example.dev`);
    await settle();
    expect(call('GET', `${widgets}/w`).body.metadata).toHaveProperty('deletionTimestamp');
    call('PATCH', `${widgets}/w`, { metadata: { finalizers: null } });
    await settle();
    expect(call('GET', `${definitions}/widgets.example.dev`).code).toBe(404);
    expect(call('GET', widgets).code).toBe(404);
  });
});

describe('a custom resource', () => {
  it('loses its status at birth and counts its generations', () => {
    const { call } = scene();
    const born = call('POST', widgets, widget('w', { status: { phase: 'x' } })).body;
    expect(born.metadata.generation).toBe(1);
    expect(born).not.toHaveProperty('status');
    expect(call('PATCH', `${widgets}/w`, { spec: { color: 'blue' } }).body.metadata.generation).toBe(2);
    const written = call('PATCH', `${widgets}/w/status`, {
      status: { phase: 'Good' },
      metadata: { labels: { a: 'b' } },
    }).body;
    expect(written).toMatchObject({ metadata: { generation: 2 }, status: { phase: 'Good' } });
    expect(written.metadata).not.toHaveProperty('labels');
    expect(call('PATCH', `${widgets}/w`, { metadata: { labels: { a: 'b' } } }).body.metadata.generation).toBe(
      2,
    );
  });

  it('is seen in every served version, with a warning in a deprecated one', () => {
    const { call } = scene();
    call('POST', widgets, widget('w'));
    const old = call('GET', widgets.replace('/v1/', '/v1alpha1/'));
    expect(old.headers['warning']).toEqual([
      '299 - "example.dev/v1alpha1 Widget is deprecated; use example.dev/v1 Widget"',
    ]);
    expect(old.body.items[0].apiVersion).toBe('example.dev/v1alpha1');
  });

  it('is selected by its fields and shown in its columns', () => {
    const { call } = scene();
    call('POST', widgets, widget('r'));
    call('POST', widgets, widget('b', { spec: { color: 'blue' } }));
    const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io';
    const { rows } = call('GET', `${widgets}?fieldSelector=spec.color%3Dblue`, undefined, { accept }).body;
    expect(rows.map(({ cells }: { cells: unknown[] }) => cells)).toEqual([['b', 'blue']]);
    expect(call('GET', `${widgets}?fieldSelector=spec.size%3D1`).code).toBe(400);
  });

  it.each([
    [
      'another version in the body',
      widget('w', { apiVersion: 'example.dev/v2' }),
      400,
      'does not match the expected API version',
    ],
    ['another kind', widget('w', { kind: 'Gadget' }), 422, 'must be Widget'],
    ['no kind', { metadata: { name: 'w' } }, 400, "Object 'Kind' is missing"],
  ])('is refused with %s', (_sentence, body, code, words) => {
    const { call } = scene();
    expect(call('POST', widgets, body)).toMatchObject({
      code,
      body: { message: expect.stringContaining(words) },
    });
  });

  it('knows no strategic merge and no unguarded replace', () => {
    const { call } = scene();
    call('POST', widgets, widget('w'));
    const headers = { 'content-type': 'application/strategic-merge-patch+json' };
    expect(call('PATCH', `${widgets}/w`, {}, headers).code).toBe(415);
    expect(call('PUT', `${widgets}/w`, widget('w')).code).toBe(422);
  });

  it('is pruned, completed and judged by its schema', () => {
    const schemas: SchemaCompiler = {
      compileSchema: () => ({
        prune: (value) => ({
          value: isRecord(value) ? { ...value, extra: undefined } : value,
          unknownPaths: ['extra'],
        }),
        applyDefaults: (value) => (isRecord(value) ? { ...value, size: 3 } : value),
        validate: (value) =>
          isRecord(value) && value['bad'] === true
            ? [{ path: 'bad', reason: 'FieldValueInvalid', message: 'Invalid value: true: is bad' }]
            : [],
        validateStatus: () => [],
      }),
      checkDefinition: () => [],
    };
    const { call } = scene(schemas);
    const made = call('POST', widgets, widget('w', { extra: 1 }));
    expect(made.body).toMatchObject({ size: 3 });
    expect(made.body).not.toHaveProperty('extra');
    expect(made.headers['warning']).toEqual(['299 - "unknown field \\"extra\\""']);
    expect(call('POST', `${widgets}?fieldValidation=Strict`, widget('x', { extra: 1 })).code).toBe(400);
    expect(call('POST', widgets, widget('y', { bad: true }))).toMatchObject({
      code: 422,
      body: {
        details: {
          causes: [{ reason: 'FieldValueInvalid', field: 'bad', message: 'Invalid value: true: is bad' }],
        },
      },
    });
  });
});
