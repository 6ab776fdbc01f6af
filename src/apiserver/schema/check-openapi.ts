// Which keywords a schema of a CRD may use and how, and whether its rules compile. Estimating what rules could cost at
// worst is out of scope: a rule that the API server refuses as too expensive is accepted here and bounded when it runs.

import { asResource, type Reading, readingOf } from './cel/schema-type.ts';
import { checkListKeywords } from './check-list-keywords.ts';
import { type FieldError, forbidden, invalid, notSupported, required } from './field-error.ts';
import { parseFieldPath } from './field-path.ts';
import { compileRules } from './rules.ts';
import type { Rule, SchemaNode } from './schema-node.ts';
import { isUncheckedFormat } from './string-formats.ts';

export type SchemaErrors = { readonly schema: readonly FieldError[]; readonly rules: readonly FieldError[] };

export type SchemaContext = {
  readonly path: string;
  readonly position: 'root' | 'inside' | 'alternative';
  /** Why there may be no default here. */
  readonly defaultsForbidden: string | null;
  readonly isInMetadata: boolean;
  /** The nearest schema whose parts cannot be paired with those before an update. */
  readonly uncorrelatable: string | null;
  /** Rules are looked at only if everything around them is in order. */
  readonly areRulesChecked: boolean;
};

export function checkOpenApi(schema: SchemaNode, context: SchemaContext): SchemaErrors {
  const inner = childrenOf(schema, context).map(([child, at]) => checkOpenApi(child, at));
  const own = [
    ...checkKeywords(schema, context),
    ...checkListKeywords(schema, context.path),
    ...schema.rules.flatMap((rule, index) =>
      checkRuleFields(rule, schema, `${context.path}.x-kubernetes-validations[${index}]`),
    ),
  ];
  const errors = [...own, ...inner.flatMap((result) => result.schema)];
  const isCompilable = errors.length === 0 && context.areRulesChecked && context.position !== 'alternative';
  const rules = isCompilable ? checkRules(schema, context) : [];
  return { schema: errors, rules: [...inner.flatMap((result) => result.rules), ...rules] };
}

const metaFields = ['metadata', 'kind', 'apiVersion'];

function childrenOf(
  schema: SchemaNode,
  context: SchemaContext,
): readonly (readonly [SchemaNode, SchemaContext])[] {
  const { path, position } = context;
  const inside = { ...context, position: position === 'alternative' ? position : 'inside' } as const;
  const alternatives = (schemas: readonly SchemaNode[], keyword: string) =>
    schemas.map(
      (inner, index) =>
        [inner, { ...context, position: 'alternative', path: `${path}.${keyword}[${index}]` }] as const,
    );
  const { additional, items, not } = schema;
  const properties = [...schema.properties].map(([name, inner]) => {
    const isMeta = (position === 'root' || schema.isEmbedded) && metaFields.includes(name);
    return [
      inner,
      {
        ...inside,
        path: `${path}.properties[${name}]`,
        isInMetadata: context.isInMetadata || isMeta,
        defaultsForbidden: isMeta && position === 'root' ? `in top-level ${name}` : context.defaultsForbidden,
      },
    ] as const;
  });
  const reason = 'inside additionalProperties applying to object metadata';
  const values =
    additional?.kind === 'schema'
      ? [
          [
            additional.schema,
            {
              ...inside,
              path: `${path}.additionalProperties`,
              defaultsForbidden: context.isInMetadata ? reason : context.defaultsForbidden,
            },
          ] as const,
        ]
      : [];
  const uncorrelatable = context.uncorrelatable ?? (schema.listType === 'map' ? null : path);
  return [
    ...values,
    ...properties,
    ...(not === null ? [] : [[not, { ...context, position: 'alternative', path: `${path}.not` }] as const]),
    ...alternatives(schema.allOf, 'allOf'),
    ...alternatives(schema.oneOf, 'oneOf'),
    ...alternatives(schema.anyOf, 'anyOf'),
    ...(items === null ? [] : [[items, { ...inside, path: `${path}.items`, uncorrelatable }] as const]),
  ];
}

const types = ['array', 'boolean', 'integer', 'number', 'object', 'string'];
const unsupported: readonly (readonly [keyword: string, name: string])[] = [
  ['id', 'id'],
  ['additionalItems', 'additionalItems'],
  ['patternProperties', 'patternProperties'],
  ['definitions', 'definitions'],
  ['dependencies', 'dependencies'],
  ['$ref', '$ref'],
];

function checkKeywords(schema: SchemaNode, context: SchemaContext): readonly FieldError[] {
  const { raw, type, properties, additional } = schema;
  const { path, defaultsForbidden } = context;
  const errors = unsupported
    .filter(([keyword]) => raw[keyword] !== undefined)
    .map(([keyword, name]) => forbidden(`${path}.${keyword}`, `${name} is not supported`));
  if (type !== '' && !types.includes(type)) errors.push(notSupported(`${path}.type`, type, types));
  if (type === 'null')
    errors.push(forbidden(`${path}.type`, 'type cannot be set to null, use nullable as an alternative'));
  if (schema.default !== undefined && defaultsForbidden !== null)
    errors.push(forbidden(`${path}.default`, `must not be set ${defaultsForbidden}`));
  if (Array.isArray(raw['items']))
    errors.push(forbidden(`${path}.items`, 'items must be a schema object and not an array'));
  if (context.isInMetadata && schema.isEmbedded)
    errors.push(
      forbidden(`${path}.x-kubernetes-embedded-resource`, 'must not be used inside of resource meta'),
    );
  if (raw['uniqueItems'] === true)
    errors.push(
      forbidden(
        `${path}.uniqueItems`,
        'uniqueItems cannot be set to true since the runtime complexity becomes quadratic',
      ),
    );
  if (additional !== null && additional.kind !== 'any' && properties.size > 0)
    errors.push(
      forbidden(`${path}.additionalProperties`, 'additionalProperties and properties are mutual exclusive'),
    );
  if (raw['x-kubernetes-preserve-unknown-fields'] === false)
    errors.push(invalid(`${path}.x-kubernetes-preserve-unknown-fields`, false, 'must be true or undefined'));
  if (isUncheckedFormat(schema.format))
    errors.push(
      invalid(`${path}.format`, schema.format, 'is checked by Kubernetes, which is not supported here'),
    );
  return errors;
}

const reasons = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired'];

function checkRuleFields(rule: Rule, schema: SchemaNode, path: string): readonly FieldError[] {
  const [text, message, expression] = [rule.rule.trim(), rule.message.trim(), rule.messageExpression.trim()];
  const hasBreak = (words: string) => /[\n\r]/.test(words);
  const errors: FieldError[] = [];
  if (text === '') errors.push(required(`${path}.rule`, 'rule is not specified'));
  else if (rule.message !== '' && message === '')
    errors.push(invalid(`${path}.message`, rule.message, 'must be non-empty if specified'));
  else if (hasBreak(message))
    errors.push(invalid(`${path}.message`, rule.message, 'must not contain line breaks'));
  else if (hasBreak(text) && message === '')
    errors.push(required(`${path}.message`, 'message must be specified if rule contains line breaks'));
  if (rule.messageExpression !== '' && expression === '')
    errors.push(required(`${path}.messageExpression`, 'messageExpression must be non-empty if specified'));
  if (rule.reason !== null && !reasons.includes(rule.reason))
    errors.push(notSupported(`${path}.reason`, rule.reason, reasons));
  if (rule.fieldPath === '') return errors;
  if (rule.fieldPath.trim() === '')
    errors.push(invalid(`${path}.fieldPath`, rule.fieldPath, 'must be non-empty if specified'));
  if (parseFieldPath(rule.fieldPath, schema, { brackets: 'allowed' }).kind === 'error')
    errors.push(invalid(`${path}.fieldPath`, rule.fieldPath, 'must be a valid path'));
  return errors;
}

function checkRules(schema: SchemaNode, context: SchemaContext): readonly FieldError[] {
  if (schema.rules.length === 0) return [];
  const reading = readingFor(schema, context);
  const path = `${context.path}.x-kubernetes-validations`;
  if (reading === null)
    return [
      invalid(path, '', 'internal error: failed to retrieve type information for x-kubernetes-validations'),
    ];
  const { rules, problems } = compileRules(schema, reading);
  const indexOf = (rule: Rule) => schema.rules.indexOf(rule);
  return [
    ...problems.map(({ rule, field, words }) =>
      invalid(`${path}[${indexOf(rule)}].${field}`, ruleValue(rule), words),
    ),
    ...rules.flatMap(({ rule, expression }) => {
      const at = `${path}[${indexOf(rule)}]`;
      if (!expression.usesOldSelf)
        return rule.optionalOldSelf === null
          ? []
          : [
              invalid(
                `${at}.optionalOldSelf`,
                rule.optionalOldSelf,
                'may not be set if oldSelf is not used in rule',
              ),
            ];
      const detail = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${context.uncorrelatable}`;
      return context.uncorrelatable === null ? [] : [invalid(`${at}.rule`, rule.rule, detail)];
    }),
  ];
}

function readingFor(schema: SchemaNode, { position }: SchemaContext): Reading | null {
  return readingOf(position === 'root' || schema.isEmbedded ? asResource(schema) : schema);
}

/** As the API server shows it: the whole rule with its fields in capitals. */
function ruleValue(rule: Rule): unknown {
  return new Map<string, unknown>([
    ['Rule', rule.rule],
    ['Message', rule.message],
    ['MessageExpression', rule.messageExpression],
    ['Reason', rule.reason],
    ['FieldPath', rule.fieldPath],
    ['OptionalOldSelf', rule.optionalOldSelf],
  ]);
}
