// Formats that rules can ask for by name, and what the API server says about a text that does not have one.

import { stringFormat } from '../string-formats.ts';

type Check = (text: string) => readonly string[];

const dns1123 = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const dns1035 = '[a-z]([-a-z0-9]*[a-z0-9])?';
const subdomain = `${dns1123}(\\.${dns1123})*`;
const labelName = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';

const labelWords =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with " +
  `an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '${dns1123}')`;
const subdomainWords =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and " +
  `end with an alphanumeric character (e.g. 'example.com', regex used for validation is '${subdomain}')`;
const label1035Words =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and " +
  `end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '${dns1035}')`;
const labelValueWords =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and " +
  "end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is " +
  "'(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

const checks: ReadonlyMap<string, Check> = new Map<string, Check>([
  ['dns1123Label', named({ pattern: dns1123, max: 63, words: labelWords })],
  ['dns1123Subdomain', named({ pattern: subdomain, max: 253, words: subdomainWords })],
  ['dns1035Label', named({ pattern: dns1035, max: 63, words: label1035Words })],
  ['labelValue', named({ pattern: `(${labelName})?`, max: 63, words: labelValueWords })],
  ['uuid', byFormat('uuid', 'does not match the UUID format')],
  ['byte', byFormat('byte', 'invalid base64')],
  ['date', byFormat('date', 'invalid date')],
  ['datetime', byFormat('datetime', 'invalid datetime')],
]);

export const namedFormats: readonly string[] = [...checks.keys()];

export function namedFormat(name: string): Check {
  return checks.get(name) ?? (() => []);
}

/** For names of definitions too, which are labels of the older kind. */
export const checkDns1035Label: Check = namedFormat('dns1035Label');
export const checkDns1123Subdomain: Check = namedFormat('dns1123Subdomain');

type Named = { readonly pattern: string; readonly max: number; readonly words: string };

function named({ pattern, max, words }: Named): Check {
  const expression = new RegExp(`^${pattern}$`);
  return (text) => [
    ...(Buffer.byteLength(text) > max ? [`must be no more than ${max} bytes`] : []),
    ...(expression.test(text) ? [] : [words]),
  ];
}

function byFormat(format: string, words: string): Check {
  return (text) => (stringFormat(format)?.(text) === false ? [words] : []);
}
