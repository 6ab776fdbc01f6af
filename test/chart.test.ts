import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { describe, expect, it } from 'vitest';
import { isRecord } from '../src/objects/raw.ts';

const root = join(import.meta.dirname, '..');

describe('the chart', () => {
  it('has the version of the package', async () => {
    const { version } = await read('package.json');
    expect(await read('charts/muster/Chart.yaml')).toMatchObject({ version, appVersion: version });
  });

  it('has a schema for each value and a value for each schema', async () => {
    const values = await read('charts/muster/values.yaml');
    const schema = await read('charts/muster/values.schema.json');
    // Helm passes `global` to every chart, asked or not.
    const described = schemaPaths(schema, '').filter((path) => path !== '.global');
    expect(valuePaths(values, schema, '').toSorted()).toEqual(described.toSorted());
  });

  it('lets the operator run where no node is ready yet, whatever keeps pods away, and leave one that is lost', async () => {
    expect(await read('charts/muster/values.yaml')).toMatchObject({
      tolerations: [{ operator: 'Exists', effect: 'NoSchedule' }],
    });
  });
});

async function read(path: string): Promise<Readonly<Record<string, unknown>>> {
  const content = load(await readFile(join(root, path), 'utf8'));
  if (!isRecord(content)) throw new Error(`${path} holds no object`);
  return content;
}

function schemaPaths(schema: unknown, path: string): readonly string[] {
  const properties = propertiesOf(schema);
  if (properties === null) return [path];
  return Object.entries(properties).flatMap(([name, inner]) => schemaPaths(inner, `${path}.${name}`));
}

/** As deep as the schema names fields. */
function valuePaths(value: unknown, schema: unknown, path: string): readonly string[] {
  const properties = propertiesOf(schema);
  if (properties === null || !isRecord(value)) return [path];
  return Object.entries(value).flatMap(([name, inner]) =>
    valuePaths(inner, properties[name], `${path}.${name}`),
  );
}

function propertiesOf(schema: unknown): Readonly<Record<string, unknown>> | null {
  return isRecord(schema) && isRecord(schema['properties']) ? schema['properties'] : null;
}
