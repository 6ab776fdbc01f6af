// Our reading of schemas against the real API server's: the same definitions, the same seeded objects, the same answers.
// A run is repeated with SCHEMA_SEED; what differs on purpose is in test/support/schema-answers.ts, with its reason.

import { readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkDefinition } from '../src/apiserver/schema/check-definition.ts';
import { type CompiledSchema, compileSchema } from '../src/apiserver/schema/compile-schema.ts';
import { seededRandom } from '../src/base/random.ts';
import { isRecord, recordsIn } from '../src/objects/raw.ts';
import { type ControlPlane, startControlPlane } from './control-plane/control-plane.ts';
import { until } from './control-plane/until.ts';
import {
  type Answer,
  asCause,
  causesOf,
  comparable,
  settled,
  sorted,
  theirs,
} from './support/schema-answers.ts';
import { conditions, expressionObjects, expressionSchema } from './support/schema-expressions.ts';
import { messages } from './support/schema-messages.ts';
import { ObjectMaker } from './support/schema-objects.ts';
import { badDefinitions, badSchemas } from './support/schema-refusals.ts';
import { definitionOf, kindOf, sampleSchemas } from './support/schema-samples.ts';

type Raw = Readonly<Record<string, unknown>>;

const seed = Number(process.env['SCHEMA_SEED'] ?? 7);
const perKind = 40;

let plane: ControlPlane;
const counts = { creates: 0, updates: 0, refusals: 0, definitions: 0, evaluations: 0, tooCostly: 0 };

beforeAll(async () => {
  plane = await startControlPlane({ scheduler: false });
  for (const [name, schema] of Object.entries(sampleSchemas)) {
    const reply = await plane.request('POST', crdPath, { body: definitionOf(name, schema) });
    expect(reply, name).toMatchObject({ status: 201 });
  }
  for (const file of ['nodelifecycles', 'disruptionpolicies']) {
    const reply = await plane.request('POST', crdPath, { body: ownDefinition(file) });
    expect(reply, file).toMatchObject({ status: 201 });
  }
  for (const name of Object.keys(sampleSchemas)) await served(pathOf(name));
});

afterAll(async () => {
  await plane?.stop();
  process.stdout.write(`seed ${seed}: ${JSON.stringify(counts)}\n`);
});

const crdPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

describe('a definition', () => {
  it.each(Object.keys(sampleSchemas))('for %s is accepted by both', (name) => {
    expect(checkDefinition(definitionOf(name, sampleSchemas[name] ?? {}))).toEqual([]);
  });

  it.each(['nodelifecycles', 'disruptionpolicies'])('of our %s is accepted by both', (file) => {
    expect(checkDefinition(ownDefinition(file))).toEqual([]);
  });

  it.each([
    ...Object.entries(badSchemas).map(([words, schema]) => [words, definitionOf('refused', schema)] as const),
    ...Object.entries(badDefinitions),
  ])('with %s is refused by both for the same fields', async (_, body) => {
    const reply = await plane.request('POST', `${crdPath}?dryRun=All`, { body });
    counts.definitions += 1;
    expect(sorted(checkDefinition(body).map(asCause).map(comparable))).toEqual(
      sorted(causesOf(reply.body).map(comparable)),
    );
  });
});

describe.each(Object.entries(sampleSchemas))('objects of %s', (name, schema) => {
  const compiled = compileSchema({ type: 'object', properties: { spec: schema } });
  const maker = new ObjectMaker(seededRandom(seed + name.length), 0.06);

  it('are created, defaulted, pruned and refused alike', async () => {
    for (let index = 0; index < perKind; index += 1) {
      const body = sample(name, maker.valueOf(schema));
      const reply = await plane.request('POST', `${pathOf(name)}?dryRun=All`, { body });
      counts.creates += 1;
      if (reply.status >= 300) counts.refusals += 1;
      expect.soft(ours(compiled, body), JSON.stringify(body['spec'])).toEqual(theirs(reply));
    }
  });

  it('are updated and refused alike', async () => {
    const old = await stored(name, { compiled, make: () => maker.valueOf(schema) });
    for (let index = 0; index < perKind; index += 1) {
      const body = { ...old, spec: maker.changeOf(old['spec'], schema) };
      const reply = await plane.request('PUT', `${pathOf(name)}/sample?dryRun=All`, { body });
      counts.updates += 1;
      if (reply.status >= 300) counts.refusals += 1;
      const context = `${JSON.stringify(old['spec'])} -> ${JSON.stringify(body.spec)}`;
      expect.soft(ours(compiled, body, old), context).toEqual(theirs(reply));
    }
  });
});

it('lets what was wrong before a definition became stricter stay, unless it changes', async () => {
  const loose = {
    type: 'object',
    properties: {
      a: { type: 'integer' },
      l: { type: 'array', items: { type: 'string' } },
      b: { type: 'string' },
    },
  };
  const rules = [{ rule: '!has(self.b) || self.b.size() < 2', message: 'b is too long' }];
  const strict = {
    type: 'object',
    properties: {
      a: { type: 'integer', maximum: 3 },
      l: { type: 'array', items: { type: 'string', maxLength: 2 } },
      b: { type: 'string' },
    },
    'x-kubernetes-validations': rules,
  };
  expect(await plane.request('POST', crdPath, { body: definitionOf('ratchet', loose) })).toMatchObject({
    status: 201,
  });
  await served(pathOf('ratchet'));
  const created = await plane.request('POST', pathOf('ratchet'), {
    body: sample('ratchet', { a: 9, l: ['long', 'x'], b: 'longer' }),
  });
  expect(created.status).toBe(201);
  const old = created.body as Raw;
  const schema = definitionOf('ratchet', strict)['spec'];
  await plane.request('PATCH', `${crdPath}/ratchets.samples.example.com`, { body: { spec: schema } });
  const compiled = compileSchema({ type: 'object', properties: { spec: strict } });
  const path = `${pathOf('ratchet')}/sample?dryRun=All`;
  await until('the stricter schema is in force', 30_000, async () => {
    const reply = await plane.request('PUT', path, { body: { ...old, spec: { a: 8 } } });
    return reply.status === 422 ? true : undefined;
  });
  const changes = [
    { a: 9, l: ['long', 'x'], b: 'longer' },
    { a: 9, l: ['long', 'x'], b: 'longest' },
    { a: 9, l: ['long', 'y'], b: 'longer' },
    { a: 10, l: ['long', 'x'], b: 'longer' },
    { a: 9, b: 'longer' },
    { a: 2, l: ['ok'], b: 'x' },
  ];
  for (const spec of changes) {
    const body = { ...old, spec };
    const reply = await plane.request('PUT', path, { body });
    counts.updates += 1;
    expect.soft(ours(compiled, body, old), JSON.stringify(spec)).toEqual(theirs(reply));
  }
});

describe('a NodeLifecycle', () => {
  const definition = ownDefinition('nodelifecycles');
  const schema = schemaIn(definition);
  const compiled = compileSchema(schema);
  const path = '/apis/muster.dev/v1alpha1/nodelifecycles';
  const record = {
    apiVersion: 'muster.dev/v1alpha1',
    kind: 'NodeLifecycle',
    metadata: { name: 'sample' },
    spec: { nodeName: 'sample', nodeUID: 'u' },
  };

  it('has its status accepted and refused alike', async () => {
    const created = await plane.request('POST', path, { body: record });
    expect(created.status).toBe(201);
    const maker = new ObjectMaker(seededRandom(seed), 0.02);
    const statusSchema = propertyOf(schema, 'status');
    for (let index = 0; index < perKind; index += 1) {
      const body = { ...(created.body as Raw), status: maker.valueOf(statusSchema) };
      const reply = await plane.request('PUT', `${path}/sample/status?dryRun=All`, { body });
      counts.updates += 1;
      const ready = prepared(compiled, body);
      const answer = { object: ready, causes: compiled.validateStatus(ready, created.body).map(asCause) };
      expect.soft(settled(answer), JSON.stringify(body.status)).toEqual(theirs(reply));
    }
  });
});

describe('an expression', () => {
  const withRules = (...rules: readonly object[]) => ({
    ...expressionSchema,
    'x-kubernetes-validations': rules,
  });

  it('holds, fails and breaks alike as a rule', async () => {
    const rules = conditions
      .map((text) => ({ rule: text }))
      .filter((entry) => checkDefinition(definitionOf('condition', withRules(entry))).length === 0);
    await compareObjects('condition', withRules(...rules));
  });

  it('says the same as a message', async () => {
    const rules = messages.map((text) => ({ rule: 'false', message: 'no text', messageExpression: text }));
    const isTaken = await Promise.all(
      rules.map(async (rule) => {
        const body = definitionOf('message', withRules(rule));
        const reply = await plane.request('POST', `${crdPath}?dryRun=All`, { body });
        const causes = causesOf(reply.body);
        // How much an expression may cost is reckoned by the real server alone.
        const isCostly = causes.some(({ message }) => message.includes('cost'));
        if (isCostly) counts.tooCostly += 1;
        else
          expect
            .soft(sorted(checkDefinition(body).map(asCause).map(comparable)), rule.messageExpression)
            .toEqual(sorted(causes.map(comparable)));
        return reply.status === 201;
      }),
    );
    const taken = rules.filter((_, index) => isTaken[index] === true);
    // In several definitions: what the rules of one may cost together is bounded too.
    for (let index = 0; index < taken.length; index += 10)
      await compareObjects(`message${index}`, withRules(...taken.slice(index, index + 10)));
  });

  async function compareObjects(name: string, schema: Raw): Promise<void> {
    const created = await plane.request('POST', crdPath, { body: definitionOf(name, schema) });
    expect(created, JSON.stringify(created.body)).toMatchObject({ status: 201 });
    await served(pathOf(name));
    const compiled = compileSchema({ type: 'object', properties: { spec: schema } });
    for (const spec of expressionObjects) {
      const body = sample(name, spec);
      const reply = await plane.request('POST', `${pathOf(name)}?dryRun=All`, { body });
      counts.evaluations += recordsIn(schema['x-kubernetes-validations']).length;
      expect.soft(ours(compiled, body), JSON.stringify(spec)).toEqual(theirs(reply));
    }
  }
});

function sample(name: string, spec: unknown): Raw {
  return { apiVersion: 'samples.example.com/v1', kind: kindOf(name), metadata: { name: 'sample' }, spec };
}

function pathOf(name: string): string {
  return `/apis/samples.example.com/v1/${name.toLowerCase()}s`;
}

async function served(path: string): Promise<void> {
  await until(`${path} is served`, 30_000, async () =>
    (await plane.request('GET', path)).status === 200 ? true : undefined,
  );
}

type Making = { readonly compiled: CompiledSchema; readonly make: () => unknown };

/** The first object that the real server takes, stored there. */
async function stored(name: string, { compiled, make }: Making): Promise<Raw> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const body = sample(name, make());
    if (ours(compiled, body).causes.length > 0) continue;
    const reply = await plane.request('POST', pathOf(name), { body });
    expect(reply.status, JSON.stringify(body)).toBe(201);
    return reply.body as Raw;
  }
  throw new Error(`no valid object of ${name} in 200 attempts`);
}

function ours(compiled: CompiledSchema, body: Raw, old?: Raw): Answer {
  const object = prepared(compiled, body);
  return settled({ object, causes: compiled.validate(object, old).map(asCause) });
}

function prepared(compiled: CompiledSchema, body: Raw): unknown {
  return compiled.applyDefaults(compiled.prune(body).value);
}

function ownDefinition(plural: string): Raw {
  const file = new URL(`../config/crds/${plural}.muster.dev.yaml`, import.meta.url);
  return load(readFileSync(file, 'utf8')) as Raw;
}

function schemaIn(definition: Raw): Raw {
  const [version] = recordsIn(isRecord(definition['spec']) ? definition['spec']['versions'] : []);
  const schema = isRecord(version?.['schema']) ? version['schema']['openAPIV3Schema'] : {};
  return isRecord(schema) ? schema : {};
}

function propertyOf(schema: Raw, name: string): Raw {
  const properties = isRecord(schema['properties']) ? schema['properties'] : {};
  const property = properties[name];
  return isRecord(property) ? property : {};
}
