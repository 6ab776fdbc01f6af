import { describe, expect, it } from 'vitest';
import { formatProblem } from '../../base/result.ts';
import type { ServiceAnswer } from '../../objects/service.ts';
import { addressProblems, questionsOf, unansweredIn, withAddresses } from './addresses.ts';
import type { PlannedCheck } from './policy.ts';

const dnsService = { namespace: 'kube-system', name: 'kube-dns' };
const dnsKey = 'endpoints of kube-system/kube-dns';
const webKey = 'addresses of shop/web';
const web = { name: 'web.shop.svc.cluster.local.', port: 80 };
const dns: PlannedCheck = { name: 'dns-endpoints' };
const discovery: PlannedCheck = { name: 'service-discovery', params: { services: [web] } };
const answer = (rest: Partial<ServiceAnswer>): ServiceAnswer => ({
  isThere: true,
  addresses: [],
  port: null,
  ...rest,
});
const ask = (...checks: readonly PlannedCheck[]) => questionsOf({ checks }, dnsService);

describe('what has to be read for a worker', () => {
  const asked: Readonly<Record<string, readonly [checks: readonly PlannedCheck[], keys: readonly string[]]>> =
    {
      'the pods of the DNS for dns-endpoints without addresses': [[dns], [dnsKey]],
      'nothing for dns-endpoints with addresses': [[{ ...dns, params: { addresses: ['10.0.0.1'] } }], []],
      'the addresses of a Service that is given by its name alone': [[discovery], [webKey]],
      'nothing for a Service with addresses': [
        [{ ...discovery, params: { services: [{ ...web, addresses: ['10.96.0.7'] }] } }],
        [],
      ],
      'nothing for service-discovery of the API server': [[{ name: 'service-discovery' }], []],
      'nothing for the same parameters of another check': [
        [{ name: 'dns', params: { services: [web] } }],
        [],
      ],
      'each once': [
        [dns, { ...dns, id: 'again' }, discovery],
        [dnsKey, webKey],
      ],
    };

  it.each(Object.entries(asked))('is %s', (_, [checks, keys]) => {
    expect(ask(...checks).map(({ kind, namespace, name }) => `${kind} of ${namespace}/${name}`)).toEqual(
      keys,
    );
  });

  it('is nothing where the checks are those of the configuration', () => {
    expect(questionsOf({ checks: null }, dnsService)).toEqual([]);
    expect(questionsOf(null, dnsService)).toEqual([]);
  });
});

describe('a check', () => {
  const services = new Map([
    [dnsKey, answer({ addresses: ['10.244.0.2', '10.244.1.2'], port: 5353 })],
    [webKey, answer({ addresses: ['10.96.0.7'] })],
  ]);

  it('is told the addresses and the port that were read', () => {
    expect(withAddresses([dns, discovery, { name: 'api' }], services, dnsService)).toEqual([
      { name: 'dns-endpoints', params: { addresses: ['10.244.0.2', '10.244.1.2'], port: 5353 } },
      { name: 'service-discovery', params: { services: [{ ...web, addresses: ['10.96.0.7'] }] } },
      { name: 'api' },
    ]);
  });

  it('keeps what the policy says', () => {
    const said: readonly PlannedCheck[] = [
      { name: 'dns-endpoints', params: { port: 53, silentMax: 1 } },
      { name: 'dns-endpoints', id: 'fixed', params: { addresses: ['10.0.0.1'] } },
      { name: 'service-discovery', params: { services: [{ ...web, addresses: ['10.0.0.9'] }] } },
    ];
    expect(withAddresses(said, services, dnsService)).toEqual([
      { name: 'dns-endpoints', params: { addresses: ['10.244.0.2', '10.244.1.2'], port: 53, silentMax: 1 } },
      said[1],
      said[2],
    ]);
  });

  it('is told no more addresses than it takes', () => {
    const addresses = Array.from({ length: 40 }, (_, index) => `10.244.0.${index}`);
    const many = new Map([
      [dnsKey, answer({ addresses })],
      [webKey, answer({ addresses })],
    ]);
    const [first, second] = withAddresses([dns, discovery], many, dnsService);
    expect(first?.params?.addresses).toHaveLength(16);
    expect(second?.params?.services?.[0]?.addresses).toHaveLength(4);
  });
});

describe('a worker', () => {
  const words = (...found: readonly (readonly [string, ServiceAnswer])[]) =>
    unansweredIn(ask(dns, discovery), new Map(found));
  const known = [dnsKey, answer({ addresses: ['10.244.0.2'] })] as const;

  it.each([
    ['nothing was read', [], 'the endpoints of Service kube-system/kube-dns are not known yet'],
    [
      'the DNS has no pods',
      [[dnsKey, answer({ isThere: false })]],
      'Service kube-system/kube-dns has no endpoints',
    ],
    [
      'none of its pods is ready',
      [[dnsKey, answer({})]],
      'Service kube-system/kube-dns has no endpoint that is ready',
    ],
    [
      'a Service is not there',
      [known, [webKey, answer({ isThere: false })]],
      'Service shop/web does not exist',
    ],
    ['a Service is headless', [known, [webKey, answer({})]], 'Service shop/web has no address of its own'],
  ] as const)('waits while %s', (_, found, said) => {
    expect(words(...found)).toContain(said);
  });

  it('waits for nothing more when all is known', () => {
    expect(words(known, [webKey, answer({ addresses: ['10.96.0.7'] })])).toEqual([]);
  });
});

describe('a policy', () => {
  it('whose Service has neither addresses nor the name of one cannot be followed', () => {
    const services = [web, { name: 'licences.example.com.', port: 1 }];
    expect(addressProblems([{ name: 'service-discovery', params: { services } }]).map(formatProblem)).toEqual(
      [
        'spec.checks[0].params.services[1].addresses: is required, because "licences.example.com." is not the name of a Service such as web.shop.svc.cluster.local.',
      ],
    );
  });
});
