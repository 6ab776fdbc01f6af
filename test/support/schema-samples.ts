// Small schemas, one per feature of structural schemas, for comparing our reading of them with the real API server's.
// Each is the schema of `spec`.

export type Schema = Readonly<Record<string, unknown>>;

export const rule = (text: string, more: Schema = {}) => ({ rule: text, ...more });
export const object = (properties: Schema, more: Schema = {}) => ({ type: 'object', properties, ...more });
export const list = (items: Schema, more: Schema = {}) => ({ type: 'array', maxItems: 6, items, ...more });
export const text = (more: Schema = {}) => ({ type: 'string', maxLength: 12, ...more });
export const whole = (more: Schema = {}) => ({ type: 'integer', ...more });
export const rules = (...entries: readonly Schema[]) => ({ 'x-kubernetes-validations': entries });

export const sampleSchemas: Readonly<Record<string, Schema>> = {
  bounds: object(
    {
      small: whole({ format: 'int32', minimum: -2, maximum: 3 }),
      open: whole({
        format: 'int64',
        minimum: 0,
        exclusiveMinimum: true,
        maximum: 9,
        exclusiveMaximum: true,
      }),
      even: whole({ multipleOf: 2 }),
      ratio: { type: 'number', minimum: 0.5, maximum: 2.5 },
      plain: { type: 'number', format: 'double' },
      flag: { type: 'boolean' },
    },
    { required: ['small'], minProperties: 1, maxProperties: 5 },
  ),
  texts: object({
    short: text({ minLength: 2, maxLength: 5 }),
    lower: text({ pattern: '^[a-z]([-a-z0-9]*[a-z0-9])?$' }),
    words: text({ pattern: '^\\w+\\s\\d+$' }),
    time: { type: 'string', format: 'date-time' },
    day: { type: 'string', format: 'date' },
    wait: { type: 'string', format: 'duration' },
    address: { type: 'string', format: 'ipv4' },
    network: { type: 'string', format: 'cidr' },
    id: { type: 'string', format: 'uuid' },
    host: { type: 'string', format: 'hostname' },
    odd: { type: 'string', format: 'nonsense' },
    data: { type: 'string', format: 'byte' },
  }),
  enums: object({
    level: text({ enum: ['low', 'high'], default: 'low' }),
    count: whole({ enum: [1, 2, 5] }),
    nothing: text({ enum: ['a'], nullable: true }),
  }),
  defaults: object({
    mode: text({ default: 'fast' }),
    limits: object({ cpu: whole({ default: 2 }), memory: text({ default: '1Gi' }) }, { default: {} }),
    optional: object({ inner: text({ default: 'x' }) }),
    maybe: text({ nullable: true }),
    filled: text({ nullable: true, default: 'y' }),
    many: list(object({ size: whole({ default: 3 }) })),
    byName: { type: 'object', additionalProperties: object({ size: whole({ default: 4 }) }) },
  }),
  lists: object({
    plain: list(text(), { minItems: 1, maxItems: 3 }),
    set: list(text(), { 'x-kubernetes-list-type': 'set' }),
    numbers: list(whole(), { 'x-kubernetes-list-type': 'set' }),
    map: list(object({ name: text(), value: whole({ maximum: 5 }) }, { required: ['name'] }), {
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
    }),
    pairs: list(
      object({ port: whole({ maximum: 9 }), protocol: text({ default: 'TCP' }) }, { required: ['port'] }),
      { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['port', 'protocol'] },
    ),
  }),
  maps: object({
    labels: { type: 'object', maxProperties: 2, additionalProperties: text({ maxLength: 3 }) },
    nested: { type: 'object', additionalProperties: object({ a: whole({ maximum: 3 }) }) },
    anything: { type: 'object', additionalProperties: true },
  }),
  either: object({
    size: { 'x-kubernetes-int-or-string': true },
    share: {
      'x-kubernetes-int-or-string': true,
      anyOf: [{ type: 'integer' }, { type: 'string' }],
      pattern: '^\\d+%$',
    },
  }),
  unknown: object({
    kept: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, properties: { known: whole() } },
    free: { 'x-kubernetes-preserve-unknown-fields': true },
    pruned: object({ a: text() }),
    list: list({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true }),
  }),
  embedded: object({
    template: {
      type: 'object',
      'x-kubernetes-embedded-resource': true,
      'x-kubernetes-preserve-unknown-fields': true,
    },
  }),
  alternatives: object(
    { a: whole(), b: text(), c: { type: 'boolean' }, d: list(whole()) },
    {
      oneOf: [{ required: ['a'] }, { required: ['b'] }],
      anyOf: [{ properties: { a: { minimum: 2 } } }, { properties: { c: { enum: [true] } } }],
      allOf: [{ properties: { b: { maxLength: 3 } } }, { properties: { d: { maxItems: 2 } } }],
      not: { required: ['a', 'c'] },
    },
  ),
  celTexts: object(
    { a: text(), b: text(), names: list(text()) },
    rules(
      rule("!has(self.a) || self.a.startsWith('a') || self.a.matches('^[0-9]+$')"),
      rule('!has(self.b) || self.b.size() < 5', { message: 'b is too long for us' }),
      rule("!has(self.b) || self.b.lowerAscii() == self.b && self.b.trim().replace('x', 'y') != 'y'"),
      rule(
        "!has(self.names) || self.names.join(',').split(',').size() == self.names.size() || self.names.size() == 0",
      ),
      rule("!has(self.a) || self.a.find('[0-9]') != '7'", { fieldPath: '.a', reason: 'FieldValueForbidden' }),
      rule('!has(self.a) || !has(self.b) || self.a != self.b', {
        messageExpression: "'a and b are both ' + self.a",
        message: 'a is b',
        reason: 'FieldValueDuplicate',
      }),
      rule("!has(self.a) || self.a.indexOf('b') < 2 && self.a.substring(0, 1) != 'z'"),
    ),
  ),
  celNumbers: object(
    { n: whole(), m: whole(), r: { type: 'number' }, some: list(whole()) },
    rules(
      rule('!has(self.n) || !has(self.m) || self.n / self.m >= 0'),
      rule('!has(self.some) || self.some.isSorted()', { reason: 'FieldValueInvalid', fieldPath: '.some' }),
      rule('!has(self.some) || self.some.sum() < 20 && (self.some.size() == 0 || self.some.max() < 10)'),
      rule('!has(self.some) || self.some.all(x, self.some.exists_one(y, x == y))'),
      rule('!has(self.r) || self.r > 0.5 || double(self.n) == self.r'),
      rule('self.?n.orValue(1) < 8', { messageExpression: "'n is %d'.format([self.n])" }),
      rule('!has(self.some) || self.some.map(x, x * 2).filter(x, x > 4).size() <= 2'),
    ),
  ),
  celMaps: object(
    {
      tags: { type: 'object', maxProperties: 4, additionalProperties: text() },
      'kebab-case': text(),
      'dotted.name': text(),
      for: text(),
      size: { 'x-kubernetes-int-or-string': true, maxLength: 8 },
      ports: list(object({ name: text(), port: whole() }, { required: ['name'] }), {
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['name'],
      }),
    },
    rules(
      rule("!has(self.tags) || self.tags.all(k, k.size() < 4 && self.tags[k] != 'bad')"),
      rule("!has(self.kebab__dash__case) || self.kebab__dash__case != self.?dotted__dot__name.orValue('')"),
      rule("!has(self.__for__) || self.__for__ in ['a', 'b', 'low']"),
      rule("!has(self.size) || type(self.size) == int ? self.?size.orValue(0) < 6 : self.size.endsWith('%')"),
      rule("!has(self.ports) || self.ports.exists(p, p.name == 'web') || self.ports.size() < 2"),
    ),
  ),
  celTransitions: object(
    {
      fixed: text(rules(rule('self == oldSelf', { message: 'is immutable' }))),
      grows: whole(rules(rule('self >= oldSelf'))),
      once: text(rules(rule('oldSelf.hasValue() || self.size() < 4', { optionalOldSelf: true }))),
      items: list(
        object(
          { name: text(), count: whole() },
          {
            required: ['name'],
            ...rules(rule('!has(self.count) || !has(oldSelf.count) || self.count >= oldSelf.count')),
          },
        ),
        { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] },
      ),
      set: list(text(), {
        'x-kubernetes-list-type': 'set',
        ...rules(rule('self == oldSelf || self.size() > 1')),
      }),
    },
    rules(rule('!has(oldSelf.fixed) || has(self.fixed)')),
  ),
  celKubernetes: object(
    {
      memory: text(),
      address: text({ maxLength: 40 }),
      network: text({ maxLength: 40 }),
      link: text({ maxLength: 40 }),
      wait: { type: 'string', format: 'duration' },
      from: { type: 'string', format: 'date-time' },
      until: { type: 'string', format: 'date-time' },
      name: text(),
    },
    rules(
      rule(
        "!has(self.memory) || isQuantity(self.memory) && quantity(self.memory).isLessThan(quantity('2Gi'))",
      ),
      rule(
        '!has(self.address) || isIP(self.address) && ip(self.address).family() == 4 && !ip(self.address).isLoopback()',
      ),
      rule("!has(self.network) || isCIDR(self.network) && cidr(self.network).containsIP('10.0.0.1')"),
      rule("!has(self.link) || isURL(self.link) && url(self.link).getScheme() == 'https'"),
      rule("!has(self.wait) || self.wait > duration('1s') && self.wait.getSeconds() < 100"),
      rule("!has(self.from) || !has(self.until) || self.until - self.from > duration('1h')"),
      rule('!has(self.from) || self.from.getFullYear() > 2000'),
      rule('!has(self.name) || !format.dns1123Label().validate(self.name).hasValue()'),
    ),
  ),
};

/** The definition of a kind whose spec has the schema. */
export function definitionOf(name: string, spec: Schema): Schema {
  const plural = `${name.toLowerCase()}s`;
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.samples.example.com` },
    spec: {
      group: 'samples.example.com',
      scope: 'Cluster',
      names: { plural, singular: name.toLowerCase(), kind: kindOf(name), listKind: `${kindOf(name)}List` },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
        },
      ],
    },
  };
}

export function kindOf(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
