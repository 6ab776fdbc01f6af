// Compiled schemas for many servers at once: a simulator makes thousands of short worlds with the same kinds, and compiling
// costs more than such a world. Whoever makes the servers owns one and hands it to each. Compiled schemas hold no state.

import type { FieldError } from './field-error.ts';
import { partOf } from './registry/definition.ts';
import type { CompiledSchema, SchemaCompiler } from './schema-port.ts';

/** Far more than a product has; what was not asked for longest is compiled again. */
const KEPT_MAX = 256;

export function shareSchemas(compiler: SchemaCompiler): SchemaCompiler {
  const schemas = new Kept<CompiledSchema>();
  const findings = new Kept<readonly FieldError[]>();
  return {
    compileSchema: (schema) => schemas.get(schema, () => compiler.compileSchema(schema)),
    checkDefinition: (definition) =>
      findings.get(checkedParts(definition), () => compiler.checkDefinition(definition)),
  };
}

/** Each server gives a definition another uid and another time. */
function checkedParts(definition: unknown): readonly unknown[] {
  return [partOf(definition, 'metadata')['name'], partOf(definition, 'spec')];
}

/** Found again by their text: each server has objects of its own. */
class Kept<T> {
  readonly #byText = new Map<string, T>();

  get(source: unknown, make: () => T): T {
    const text = JSON.stringify(source) ?? '';
    const value = this.#byText.get(text) ?? make();
    this.#byText.delete(text);
    this.#byText.set(text, value);
    const [oldest] = this.#byText.keys();
    if (this.#byText.size > KEPT_MAX && oldest !== undefined) this.#byText.delete(oldest);
    return value;
  }
}
