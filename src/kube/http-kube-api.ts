// KubeApi over HTTP. Puts requests, admission, transport and metrics together, and checks that answers have the shape
// they promise; knows nothing of connections, credentials or what the objects mean.

import type { Cancel, Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { Metrics } from '../base/metrics.ts';
import type { Random } from '../base/random.ts';
import { err, ok } from '../base/result.ts';
import { fieldsOf, isRecord, type RawObject, textOf } from '../objects/raw.ts';
import type { Answer, CallOptions, KubeApi, Page } from '../runtime/ports.ts';
import { Admission } from './admission.ts';
import { type CallWorld, callApi } from './api-call.ts';
import { createApiMetrics } from './api-metrics.ts';
import * as build from './api-request.ts';
import { watchApi } from './api-watch.ts';
import { malformed } from './errors.ts';
import type { Rate } from './token-bucket.ts';
import type { Transport, TransportRequest } from './transport.ts';

export type HttpKubeApiOptions = {
  readonly transport: Transport;
  /** Precedes every path; empty, or from a slash on. */
  readonly basePath: string;
  /** Of the API server, with its port: for people. */
  readonly host: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly userAgent: string;
  /** Who the API server notes as the author of a field. */
  readonly fieldManager: string;
  /**
   * The user on whose behalf every request is made, where the credentials may impersonate. Never with a group: the API server knows by
   * itself the groups of a node, and constrains what may be done in its name only where nothing but the name is asked for.
   */
  readonly actsAs?: string;
  readonly limits?: Partial<ApiLimits>;
};

export type ApiLimits = {
  readonly inFlightMax: number;
  readonly timeoutMs: number;
  /** Null: no limit of ours on writes, the server's priority and fairness decides. */
  readonly writeRate: Rate | null;
};

const limitsDefault: ApiLimits = { inFlightMax: 32, timeoutMs: 30_000, writeRate: null };

/** The server ends a watch after a time between these, so that clients do not all come back at once. */
const WATCH_SECONDS_MIN = 300;
const WATCH_SECONDS_MAX = 600;

export function createHttpKubeApi(options: HttpKubeApiOptions): KubeApi {
  const world = worldOf(options);
  const { fieldManager, random } = options;

  const ask = (request: build.ApiRequest, given: CallOptions = {}): Promise<Answer<unknown>> =>
    callApi({ ...request, request: transportRequest(request, options), options: given }, world);
  const askForObject = async (request: build.ApiRequest, given?: CallOptions): Promise<Answer<RawObject>> =>
    asObject(await ask(request, given), request);

  return {
    get: (ref, given) => askForObject(build.getRequest(ref), given),
    async list(selection, page = {}, given) {
      const request = build.listRequest(selection, page);
      return asPage(await ask(request, given), request);
    },
    watch(selection, start, listener): Cancel {
      const seconds = WATCH_SECONDS_MIN + Math.round((WATCH_SECONDS_MAX - WATCH_SECONDS_MIN) * random.next());
      const request = build.watchRequest(selection, start, seconds);
      return watchApi(
        { ...request, request: transportRequest(request, options), listener, unread: selection.unread ?? [] },
        world,
      );
    },
    create: (ref, body, given = {}) =>
      askForObject(build.createRequest({ ref, options: given, fieldManager }, body), given),
    replace: (ref, body, given = {}) =>
      askForObject(build.replaceRequest({ ref, options: given, fieldManager }, body), given),
    patch: (ref, patch, given = {}) =>
      askForObject(build.patchRequest({ ref, options: given, fieldManager }, patch), given),
    delete: (ref, given = {}) => askForObject(build.deleteRequest(ref, given), given),
  };
}

function worldOf({ transport, host, clock, log, metrics, limits }: HttpKubeApiOptions): CallWorld {
  const { inFlightMax, timeoutMs, writeRate } = { ...limitsDefault, ...limits };
  const admission = new Admission({ clock, inFlightMax, writeRate });
  const apiMetrics = createApiMetrics(metrics, host, () => admission.inFlight);
  return { transport, admission, metrics: apiMetrics, clock, log, timeoutMs };
}

/** Compressed answers are never asked for: near the server they cost more than they save. */
function transportRequest(request: build.ApiRequest, options: HttpKubeApiOptions): TransportRequest {
  const { method, content } = request;
  const path = options.basePath + request.path;
  const { userAgent, actsAs } = options;
  const headers = {
    accept: 'application/json',
    'user-agent': userAgent,
    ...(actsAs === undefined ? {} : { 'impersonate-user': actsAs }),
  };
  if (content === null) return { method, path, headers, body: null };
  const body = Buffer.from(JSON.stringify(content.value));
  const described = { 'content-type': content.type, 'content-length': String(body.length) };
  return { method, path, headers: { ...headers, ...described }, body };
}

function asObject(answer: Answer<unknown>, { asked }: build.ApiRequest): Answer<RawObject> {
  if (answer.kind === 'error') return answer;
  return isRecord(answer.value) ? ok(answer.value) : err(malformed('the answer is not an object', asked));
}

function asPage(answer: Answer<unknown>, { asked }: build.ApiRequest): Answer<Page> {
  if (answer.kind === 'error') return answer;
  const list = fieldsOf(answer.value);
  const { metadata, items } = list;
  if (!isRecord(metadata) || !(Array.isArray(items) || items === null)) {
    return err(malformed('the answer is not a list', asked));
  }
  return ok({
    items: items ?? [],
    resourceVersion: textOf(metadata['resourceVersion']),
    continueToken: textOf(metadata['continue']),
  });
}
