// The syntax of label keys, label values and taint keys, as the API server checks it.

const NAME = /^[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?$/;
const PREFIX = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/;

/** What is wrong with a label or taint key; null when nothing is. */
export function labelKeyProblem(key: string): string | null {
  const slash = key.indexOf('/');
  const prefix = slash < 0 ? null : key.slice(0, slash);
  const name = key.slice(slash + 1);
  if (prefix !== null && (prefix.length === 0 || prefix.length > 253 || !PREFIX.test(prefix))) {
    return `prefix ${JSON.stringify(prefix)} is not a DNS name of at most 253 characters`;
  }
  if (name.length === 0 || name.length > 63 || !NAME.test(name)) {
    return `name ${JSON.stringify(name)} is not 1 to 63 letters, digits, '-', '_' or '.', with a letter or digit at both ends`;
  }
  return null;
}

export function labelValueProblem(value: string): string | null {
  if (value === '' || (value.length <= 63 && NAME.test(value))) return null;
  return `${JSON.stringify(value)} is not empty or up to 63 letters, digits, '-', '_' or '.', with a letter or digit at both ends`;
}

/** True for keys under kubernetes.io and k8s.io and their subdomains, which the platform reserves. */
export function isReservedKey(key: string): boolean {
  const slash = key.indexOf('/');
  if (slash < 0) return false;
  const prefix = key.slice(0, slash);
  return RESERVED_DOMAINS.some((domain) => prefix === domain || prefix.endsWith(`.${domain}`));
}

const RESERVED_DOMAINS: readonly string[] = ['kubernetes.io', 'k8s.io'];
