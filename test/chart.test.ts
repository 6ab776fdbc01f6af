import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { describe, expect, it } from 'vitest';
import { controlPlaneRole, systemTaintKeys } from '../src/api/keys.ts';

const root = join(import.meta.dirname, '..');
const read = async (path: string) =>
  load(await readFile(join(root, path), 'utf8')) as Readonly<Record<string, unknown>>;

describe('the chart', () => {
  it('has the version of the package', async () => {
    const { version } = await read('package.json');
    expect(await read('charts/muster/Chart.yaml')).toMatchObject({ version, appVersion: version });
  });

  it('has a schema for each value and a value for each schema', async () => {
    const values = await read('charts/muster/values.yaml');
    const schema = await read('charts/muster/values.schema.json');
    // Helm passes `global` to every chart, asked or not.
    expect(schemaPaths(schema).filter((path) => path !== 'global')).toEqual(
      expect.arrayContaining([...valuePaths(values, schema)]),
    );
    expect(valuePaths(values, schema)).toEqual(
      expect.arrayContaining(schemaPaths(schema).filter((path) => path !== 'global')),
    );
  });

  it('lets the operator run where no node is ready yet', async () => {
    const { tolerations } = (await read('charts/muster/values.yaml')) as {
      tolerations: readonly { key: string }[];
    };
    const { uninitialized, notReady } = systemTaintKeys;
    expect(tolerations.map(({ key }) => key)).toEqual([controlPlaneRole, uninitialized, notReady]);
  });
});

type Schema = Readonly<Record<string, unknown>>;

function propertiesOf(schema: unknown): Readonly<Record<string, Schema>> | undefined {
  return (schema as { readonly properties?: Readonly<Record<string, Schema>> } | undefined)?.properties;
}

function schemaPaths(schema: Schema, path = ''): readonly string[] {
  return Object.entries(propertiesOf(schema) ?? {}).flatMap(([name, inner]) =>
    propertiesOf(inner) === undefined ? [`${path}${name}`] : schemaPaths(inner, `${path}${name}.`),
  );
}

/** As deep as the schema names fields. */
function valuePaths(values: object, schema: unknown, path = ''): readonly string[] {
  return Object.entries(values).flatMap(([name, value]) => {
    const inner = propertiesOf(schema)?.[name];
    return propertiesOf(inner) === undefined
      ? [`${path}${name}`]
      : valuePaths(value as object, inner, `${path}${name}.`);
  });
}
