// The kinds of values that only a worker's options take.

import { isIP } from 'node:net';
import { err, ok } from '../base/result.ts';
import { reportLimits } from '../base/worker-report.ts';
import { canonicalAddress, domainName } from '../checks/params.ts';
import { readCidr } from '../checks/targets.ts';
import type { Endpoint } from '../checks/world.ts';
import type { OptionKind } from './options.ts';

export const ipAddress: OptionKind<string> = {
  placeholder: '<address>',
  read: (raw) =>
    typeof raw === 'string' && isIP(raw) !== 0
      ? ok(canonicalAddress(raw))
      : err(`must be an IP address, not ${JSON.stringify(raw)}`),
};

export const portNumber: OptionKind<number> = {
  placeholder: '<port>',
  read(raw) {
    const value = typeof raw === 'string' && /^\d+$/.test(raw) ? Number(raw) : raw;
    const isPort = typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= 65_535;
    return isPort ? ok(value) : err(`must be a port from 1 to 65535, not ${JSON.stringify(raw)}`);
  },
};

const DNS_PORT = 53;

/** `10.96.0.10`, `fd00::a`, and with a port `10.96.0.10:5353` or `[fd00::a]:5353`. */
export const dnsServer: OptionKind<Endpoint | null> = {
  placeholder: '<address>',
  read(raw) {
    if (typeof raw === 'string' && isIP(raw) !== 0) return ok({ address: raw, port: DNS_PORT });
    const [, host = '', port = ''] = typeof raw === 'string' ? (/^(.*):(\d{1,5})$/.exec(raw) ?? []) : [];
    const address = host.replace(/^\[(.*)\]$/, '$1');
    const isEndpoint = isIP(address) !== 0 && Number(port) >= 1 && Number(port) <= 65_535;
    return isEndpoint
      ? ok({ address, port: Number(port) })
      : err(`must be the IP address of a DNS server, not ${JSON.stringify(raw)}`);
  },
};

/** What a worker gives back as it got it: short, because the report has little room. */
export function token(lengthMax: number): OptionKind<string> {
  return {
    placeholder: '<text>',
    read: (raw) =>
      typeof raw === 'string' && raw.length <= lengthMax && /^[\w.-]*$/.test(raw)
        ? ok(raw)
        : err(`must be up to ${lengthMax} letters, digits, '-', '_' and '.', not ${JSON.stringify(raw)}`),
  };
}

export const nodeUID: OptionKind<string> = token(reportLimits.uidLength);
export const nonce: OptionKind<string> = token(reportLimits.nonceLength);

/** Comma-separated in a flag or variable, a list in a config file. */
function listOf(placeholder: string, read: (item: unknown) => string | null): OptionKind<readonly string[]> {
  return {
    placeholder,
    read(raw) {
      const items: unknown = typeof raw === 'string' ? raw.split(',').map((item) => item.trim()) : raw;
      if (!Array.isArray(items)) return err(`must be a list, not ${JSON.stringify(raw)}`);
      const problems = items.flatMap((item: unknown) => read(item) ?? []);
      if (problems.length > 0) return err(problems.join('; '));
      return ok(items.filter((item) => typeof item === 'string'));
    },
  };
}

export const domainNames: OptionKind<readonly string[]> = listOf('<name,name...>', (item) => {
  const name = domainName.read(item, { path: '', targets: { refusalOf: () => null } });
  return name.kind === 'ok' ? null : name.error.map(({ message }) => message).join('; ');
});

export const cidrs: OptionKind<readonly string[]> = listOf('<cidr,cidr...>', (item) => {
  const cidr = readCidr(item);
  return cidr.kind === 'ok' ? null : cidr.error;
});

/** Names in a flag or variable; in a config file a list of maps, which the plan reads. */
export const checkList: OptionKind<unknown> = {
  placeholder: '<name,name...>',
  read: (raw) => ok(typeof raw === 'string' ? raw.split(',').map((name) => ({ name: name.trim() })) : raw),
};
