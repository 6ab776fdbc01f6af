// Addresses that a check needs and a worker cannot find out: it has no rights in the cluster. The operator reads them and hands
// them over; the worker treats them as any other target, and refuses those that no check may reach. Pure.

import type { Problem } from '../../base/result.ts';
import {
  questionKey,
  type ServiceAnswers,
  type ServiceName,
  type ServiceQuestion,
} from '../../objects/service.ts';
import type { PlannedCheck, Policy } from './policy.ts';

type Params = NonNullable<PlannedCheck['params']>;
type Service = NonNullable<Params['services']>[number];

/** As many as a check takes. */
const limits = { endpoints: 16, addresses: 4 } as const;

/** What has to be read before the checks of this policy can run. Checks of the configuration run as the administrator wrote them. */
export function questionsOf(
  policy: Pick<Policy, 'checks'> | null,
  dnsService: ServiceName,
): readonly ServiceQuestion[] {
  const all = (policy?.checks ?? []).flatMap(({ name, params = {} }): readonly ServiceQuestion[] => {
    if (name === 'dns-endpoints' && isEmpty(params.addresses)) return [{ kind: 'endpoints', ...dnsService }];
    if (name !== 'service-discovery') return [];
    return (params.services ?? []).flatMap((service) => questionOn(service) ?? []);
  });
  return [...new Map(all.map((question) => [questionKey(question), question])).values()];
}

/** The same checks with what was read. */
export function withAddresses(
  planned: readonly PlannedCheck[],
  services: ServiceAnswers,
  dnsService: ServiceName,
): readonly PlannedCheck[] {
  return planned.map((check) => {
    const { name, params = {} } = check;
    if (name === 'dns-endpoints' && isEmpty(params.addresses)) {
      const found = services.get(questionKey({ kind: 'endpoints', ...dnsService }));
      const port = params.port ?? found?.port ?? undefined;
      const addresses = (found?.addresses ?? []).slice(0, limits.endpoints);
      return { ...check, params: { ...params, addresses, ...(port === undefined ? {} : { port }) } };
    }
    if (name !== 'service-discovery' || params.services === undefined) return check;
    return {
      ...check,
      params: { ...params, services: params.services.map((each) => filled(each, services)) },
    };
  });
}

/** Why the checks cannot run yet, in words; empty when they can. */
export function unansweredIn(
  questions: readonly ServiceQuestion[],
  services: ServiceAnswers | undefined,
): readonly string[] {
  return questions.flatMap((question) => {
    const { kind, namespace, name } = question;
    const found = services?.get(questionKey(question));
    if (found === undefined) return [`the ${kind} of Service ${namespace}/${name} are not known yet`];
    if (!found.isThere)
      return [`Service ${namespace}/${name} ${kind === 'endpoints' ? 'has no endpoints' : 'does not exist'}`];
    if (found.addresses.length > 0) return [];
    return [
      `Service ${namespace}/${name} has no ${kind === 'endpoints' ? 'endpoint that is ready' : 'address of its own'}`,
    ];
  });
}

/** A Service without addresses that is no name of one cannot be looked up. */
export function addressProblems(checks: readonly PlannedCheck[]): readonly Problem[] {
  return checks.flatMap(({ name, params = {} }, at) =>
    name !== 'service-discovery'
      ? []
      : (params.services ?? []).flatMap((service, index) =>
          isEmpty(service.addresses) && questionOn(service) === null
            ? [
                {
                  path: `spec.checks[${at}].params.services[${index}].addresses`,
                  message: `is required, because ${JSON.stringify(service.name)} is not the name of a Service such as web.shop.svc.cluster.local.`,
                },
              ]
            : [],
        ),
  );
}

function filled(service: Service, services: ServiceAnswers): Service {
  const question = questionOn(service);
  if (question === null) return service;
  const addresses = services.get(questionKey(question))?.addresses ?? [];
  return { ...service, addresses: addresses.slice(0, limits.addresses) };
}

/** Null where nothing is to be read: the policy says it, or the name is not one of a Service. */
function questionOn({ name, addresses }: Service): ServiceQuestion | null {
  const [, service, namespace] = /^([a-z0-9-]+)\.([a-z0-9-]+)\.svc(?:\.|$)/.exec(name) ?? [];
  if (!isEmpty(addresses) || service === undefined || namespace === undefined) return null;
  return { kind: 'addresses', namespace, name: service };
}

function isEmpty(addresses: readonly string[] | undefined): boolean {
  return addresses === undefined || addresses.length === 0;
}
