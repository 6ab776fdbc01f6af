// The syntax of names, in the words of the real server.

export type NameRule = (name: string) => string | null;

const LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const SUBDOMAIN = `${LABEL}(\\.${LABEL})*`;
const OLD_LABEL = '[a-z]([-a-z0-9]*[a-z0-9])?';

// Each is compiled once: every write checks dozens of names.
const isLabel = matcherOf(LABEL);
const isSubdomain = matcherOf(SUBDOMAIN);
const isOldLabel = matcherOf(OLD_LABEL);

export const dnsSubdomain: NameRule = (name) => {
  if (name.length > 253) return 'must be no more than 253 bytes';
  if (isSubdomain(name)) return null;
  return `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '${SUBDOMAIN}')`;
};

export const dnsLabel: NameRule = (name) => {
  if (name.length > 63) return 'must be no more than 63 bytes';
  if (isLabel(name)) return null;
  return `a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '${LABEL}')`;
};

export const dnsOldLabel: NameRule = (name) => {
  if (name.length > 63) return 'must be no more than 63 bytes';
  if (isOldLabel(name)) return null;
  return `a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '${OLD_LABEL}')`;
};

const QUALIFIED = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const VALUE = `(${QUALIFIED})?`;
const isQualified = matcherOf(QUALIFIED);
const isValue = matcherOf(VALUE);

/** In two parts: it is a part of a sentence, and no key of ours. */
const EXAMPLE = ['example.com', 'MyName'].join('/');

/** Every problem of a label key, taint key or finalizer. */
export function qualifiedNameProblems(key: string): readonly string[] {
  const parts = key.split('/');
  const name = parts.at(-1) ?? '';
  const prefix = parts.length === 2 ? (parts[0] ?? '') : null;
  if (parts.length > 2)
    return [
      `a valid label key must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '${QUALIFIED}') with an optional DNS subdomain prefix and '/' (e.g. '${EXAMPLE}')`,
    ];
  const problems: string[] = [];
  if (prefix === '') problems.push('prefix part must be non-empty');
  else if (prefix !== null) {
    const problem = dnsSubdomain(prefix);
    if (problem !== null) problems.push(`prefix part ${problem}`);
  }
  if (name === '') problems.push('name part must be non-empty');
  else if (name.length > 63) problems.push('name part must be no more than 63 bytes');
  if (!isQualified(name))
    problems.push(
      `name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '${QUALIFIED}')`,
    );
  return problems;
}

export function labelValueProblems(value: string): readonly string[] {
  const problems: string[] = value.length > 63 ? ['must be no more than 63 bytes'] : [];
  if (!isValue(value))
    problems.push(
      `a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '${VALUE}')`,
    );
  return problems;
}

function matcherOf(pattern: string): (text: string) => boolean {
  const whole = new RegExp(`^${pattern}$`);
  return (text) => whole.test(text);
}
