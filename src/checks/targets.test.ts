import { describe, expect, it } from 'vitest';
import { checks } from './list.ts';
import { createTargetRules, readCidr } from './targets.ts';

const apiServer = '10.96.0.1';
const rules = createTargetRules({ allowed: [], denied: [apiServer, '172.20.0.0/24', 'fd00:1::/64'] });

/** Ways to make a worker talk to what its node can reach and the author of a policy should not. */
const payloads: Readonly<Record<string, string>> = {
  loopback: '127.0.0.1',
  'loopback elsewhere in its range': '127.66.6.6',
  'loopback with fewer dots': '127.1',
  'loopback in decimal': '2130706433',
  'loopback in hexadecimal': '0x7f000001',
  'loopback in octal': '0177.0.0.1',
  'loopback with leading zeros': '127.000.000.001',
  'loopback as IPv6': '::1',
  'loopback as IPv6 in full': '0:0:0:0:0:0:0:1',
  'loopback mapped into IPv6': '::ffff:127.0.0.1',
  'loopback mapped into IPv6 in hexadecimal': '::ffff:7f00:1',
  'loopback in the old compatible form': '::127.0.0.1',
  'loopback through NAT64': '64:ff9b::7f00:1',
  'loopback through local NAT64': '64:ff9b:1::7f00:1',
  'loopback through 6to4': '2002:7f00:1::',
  'loopback in brackets': '[::1]',
  'this host': '0.0.0.0',
  'this host as IPv6': '::',
  'the metadata of most clouds': '169.254.169.254',
  'the same, mapped into IPv6': '::ffff:169.254.169.254',
  'the same, in decimal': '2852039166',
  'the credentials of a task': '169.254.170.2',
  'metadata as IPv6': 'fd00:ec2::254',
  'metadata as IPv6 of another cloud': 'fd20:ce::254',
  'metadata outside of link-local': '100.100.100.200',
  'the agent of a cloud': '168.63.129.16',
  'metadata in a reserved range': '192.0.0.192',
  'link-local IPv6': 'fe80::1',
  'link-local IPv6 on an interface': 'fe80::1%eth0',
  'any address on an interface': '2001:db8::1%eth0',
  multicast: '224.0.0.1',
  'multicast as IPv6': 'ff02::1',
  broadcast: '255.255.255.255',
  'the API server': apiServer,
  'the API server, mapped into IPv6': `::ffff:${apiServer}`,
  'a host of the API server': '172.20.0.9',
  'a host of the API server as IPv6': 'fd00:1::9',
  'a name that can be bound to anything later': 'rebind.example.com',
  'a name of this host': 'localhost',
  'a name of metadata': 'metadata.google.internal',
  'a name made of an address': '127.0.0.1.nip.io',
  'a URL': 'http://10.0.0.1/',
  'an address with a user': 'user@10.0.0.1',
  'an address with a port': '10.0.0.1:80',
  'an address with a path': '10.0.0.1/latest',
  'digits of another script': '①②⑦.⓪.⓪.①',
  'an address with a blank': ' 10.0.0.1',
  'an address with a line break': '10.0.0.1\n',
  'an address with a zero byte': '10.0.0.1\0',
  nothing: '',
};

/** The parameters by which a policy could name an address. */
const doors: Readonly<Record<string, (address: string) => unknown>> = {
  'dns-endpoints': (address) => ({ addresses: [address] }),
  network: (address) => ({ targets: [{ address, port: 80, protocol: 'tcp' }] }),
  'service-discovery': (address) => ({ services: [{ name: 'a.b.', addresses: [address], port: 80 }] }),
  'peer-echo': (address) => ({ peers: [{ address, port: 80 }] }),
  mtu: (address) => ({ peers: [{ address, port: 80 }] }),
};

describe.each(Object.entries(doors))('the targets of %s', (name, paramsFor) => {
  const check = checks.find((each) => each.name === name);
  const problemsWith = (address: string, targets = rules) => {
    const run = check?.prepare(paramsFor(address), { path: 'params', targets });
    return run?.kind === 'error' ? run.error : [];
  };

  it.each(Object.entries(payloads))('cannot be %s', (_sentence, address) => {
    expect(problemsWith(address)).toHaveLength(1);
  });

  it.each(['10.0.0.1', '192.168.7.7', '100.64.0.1', '172.20.1.1', 'fd00:2::1', '2001:db8::1'])(
    'can be an address of pods such as %s',
    (address) => expect(problemsWith(address)).toEqual([]),
  );

  it('can be what the administrator allows', () => {
    const permissive = createTargetRules({ allowed: ['169.254.20.10', apiServer], denied: [apiServer] });
    expect(problemsWith('169.254.20.10', permissive)).toEqual([]);
    expect(problemsWith(apiServer, permissive)).toEqual([]);
    expect(problemsWith('169.254.169.254', permissive)).toHaveLength(1);
  });
});

describe('the parameters of all checks', () => {
  it('name addresses nowhere else', () => {
    const withAddresses = checks.filter(({ params }) =>
      Object.values(params).some(({ kind }) => kind.words.includes('IP address')),
    );
    expect(withAddresses.map(({ name }) => name)).toEqual(Object.keys(doors));
  });
});

describe('a CIDR', () => {
  it.each(['10.0.0.0/8', '10.0.0.1', 'fd00::/8', '::/0'])('is %s', (cidr) =>
    expect(readCidr(cidr)).toEqual({ kind: 'ok', value: cidr }),
  );

  it.each(['10.0.0.0/33', 'fd00::/129', '10.0.0.0/8/8', '10.0/8', 'all', '10.0.0.0/', 7])(
    'is not %s',
    (cidr) => expect(readCidr(cidr).kind).toBe('error'),
  );
});
