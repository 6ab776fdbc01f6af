// Schemas compiled as the product compiles them.

import type { SchemaCompiler } from '../../src/apiserver/schema-port.ts';
import { checkDefinition } from '../../src/apiserver/schema/check-definition.ts';
import { compileSchema } from '../../src/apiserver/schema/compile-schema.ts';

export const schemas: SchemaCompiler = {
  checkDefinition,
  compileSchema: (schema) => compileSchema(schema),
};
