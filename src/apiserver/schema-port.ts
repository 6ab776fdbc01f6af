// What the server needs of structural schemas: the schema folder implements it, tests may do with less.

import type { FieldError } from './field-error.ts';

export type CompiledSchema = {
  /** Without the fields that the schema does not know, and the paths of those. */
  prune(value: unknown): { readonly value: unknown; readonly unknownPaths: readonly string[] };
  applyDefaults(value: unknown): unknown;
  /** `old` is given on update: transition rules look at it. */
  validate(value: unknown, old?: unknown): readonly FieldError[];
  /** A write to the status alone: what is wrong elsewhere is not its fault. */
  validateStatus(value: unknown, old: unknown): readonly FieldError[];
};

export interface SchemaCompiler {
  compileSchema(openAPIV3Schema: unknown): CompiledSchema;
  /** What is wrong with the schemas of a CustomResourceDefinition. Looks at its name and its spec alone. */
  checkDefinition(definition: unknown): readonly FieldError[];
}
