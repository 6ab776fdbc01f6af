// Where Services are: their addresses, or the endpoints behind them. Many nodes ask the same at once, and it is read once for all
// of them. Reads, never writes.

import type { Clock, Instant } from '../base/clock.ts';
import { serviceNameLabel } from '../api/keys.ts';
import { fieldsOf, type RawObject, recordsIn, textOf } from '../objects/raw.ts';
import { endpointSliceType, serviceType } from '../objects/ref.ts';
import { questionKey, type ServiceAnswer, type ServiceQuestion } from '../objects/service.ts';
import type { Answer, KubeApi } from './ports.ts';

export type ServiceReader = (question: ServiceQuestion) => Promise<Answer<ServiceAnswer>>;

/** A slice holds a hundred endpoints. */
const SLICES_MAX = 100;

export function createServiceReader(api: KubeApi, clock: Clock, freshMs: number): ServiceReader {
  type Reading = { readonly at: Instant; readonly answer: Promise<Answer<ServiceAnswer>> };
  const readings = new Map<string, Reading>();
  const forgetOld = () => {
    for (const [key, { at }] of readings) if (clock.now() - at >= freshMs) readings.delete(key);
  };
  return async (question) => {
    forgetOld();
    const key = questionKey(question);
    const reading = readings.get(key) ?? { at: clock.now(), answer: read(api, question) };
    readings.set(key, reading);
    const answer = await reading.answer;
    // What failed is not an answer for those who come next.
    if (answer.kind === 'error' && readings.get(key) === reading) readings.delete(key);
    return answer;
  };
}

function read(api: KubeApi, question: ServiceQuestion): Promise<Answer<ServiceAnswer>> {
  switch (question.kind) {
    case 'addresses':
      return readAddresses(api, question);
    case 'endpoints':
      return readEndpoints(api, question);
  }
}

async function readAddresses(
  api: KubeApi,
  { namespace, name }: ServiceQuestion,
): Promise<Answer<ServiceAnswer>> {
  const service = await api.get({ type: serviceType, namespace, name });
  if (service.kind === 'error')
    return service.error.reason === 'NotFound'
      ? { kind: 'ok', value: { isThere: false, addresses: [], port: null } }
      : service;
  const { clusterIPs } = fieldsOf(service.value.spec);
  const all: readonly unknown[] = Array.isArray(clusterIPs) ? clusterIPs : [];
  // One without an address of its own has `None` there.
  const addresses = all.filter((each) => typeof each === 'string').filter((each) => each !== 'None');
  return { kind: 'ok', value: { isThere: true, addresses, port: null } };
}

async function readEndpoints(
  api: KubeApi,
  { namespace, name }: ServiceQuestion,
): Promise<Answer<ServiceAnswer>> {
  const labelSelector = `${serviceNameLabel}=${name}`;
  const page = await api.list({ type: endpointSliceType, namespace, labelSelector }, { limit: SLICES_MAX });
  if (page.kind === 'error') return page;
  const slices = page.value.items.filter(({ addressType }: Slice) => addressType !== 'FQDN');
  const addresses = [...new Set(slices.flatMap(readyAddresses))].toSorted();
  const [port = null] = slices.flatMap(datagramPorts);
  return { kind: 'ok', value: { isThere: slices.length > 0, addresses, port } };
}

/** An EndpointSlice has no spec: its fields lie beside its metadata. */
type Slice = RawObject & {
  readonly addressType?: unknown;
  readonly endpoints?: unknown;
  readonly ports?: unknown;
};

/** Ready where nothing is said, as the API has it. */
function readyAddresses({ endpoints }: Slice): readonly string[] {
  return recordsIn(endpoints)
    .filter(({ conditions }) => fieldsOf(conditions)['ready'] !== false)
    .flatMap(({ addresses }) => (Array.isArray(addresses) ? addresses : []))
    .filter((address) => typeof address === 'string');
}

function datagramPorts({ ports }: Slice): readonly number[] {
  return recordsIn(ports)
    .filter(({ protocol }) => textOf(protocol) === 'UDP')
    .flatMap(({ port }) => (typeof port === 'number' ? [port] : []));
}
