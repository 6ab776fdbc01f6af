// GET pods/log: which container, how much of its log, once or for as long as it is written. Refuses as the real server does,
// which asks the kubelet of the pod's node.

import type { Instant } from '../../base/clock.ts';
import { err, ok, type Result } from '../../base/result.ts';
import { parseTime } from '../../base/timestamp.ts';
import { type RawObject, recordsIn, textOf } from '../../objects/raw.ts';
import { type FieldError, forbidden, invalid } from '../field-error.ts';
import type { LoggedContainer, LogLine } from '../pod-logs.ts';
import { badRequest, internalError, invalidObject, notFound, type Refusal } from '../refusal.ts';
import { partOf } from '../registry/definition.ts';
import { placeOf, subjectOf, type Target } from '../resources/request.ts';
import { answerRefusal } from './answer.ts';
import { type HttpAnswer, type HttpRequest, plain } from './exchange.ts';
import type { Handling } from './handling.ts';

export function answerLog({ server }: Handling, request: HttpRequest, target: Target): HttpAnswer {
  const pod = server.store.get(placeOf(target));
  if (pod === undefined) return answerRefusal(notFound(subjectOf(target)));
  const options = readOptions(request.query, target.name);
  if (options.kind === 'error') return answerRefusal(options.error);
  const container = containerOf(pod, request.query.get('container') ?? '');
  if (container.kind === 'error') return answerRefusal(container.error);
  if (container.value.node === '') return plain(204, '');
  const log = server.podLogs.find(container.value);
  if (log === null)
    return answerRefusal(unreachable(server.store.get(nodePlace(container.value)), container.value));
  const form = { ...options.value, now: server.clock.now() };
  const text = selected(log.lines, form);
  if (!form.isFollowed) return plain(200, text);
  return {
    kind: 'stream',
    headers: { 'content-type': 'text/plain; charset=utf-8' },
    run(sink) {
      if (text !== '') sink.write(text);
      return log.follow({
        line: (line) => void sink.write(written(line, form)),
        ended: () => sink.end(),
      });
    },
  };
}

type LogOptions = {
  readonly isFollowed: boolean;
  readonly hasTimes: boolean;
  readonly tailLines: number | null;
  readonly limitBytes: number | null;
  readonly sinceSeconds: number | null;
  readonly sinceTime: Instant | null;
};

type LogForm = LogOptions & { readonly now: Instant };

const numbers = ['tailLines', 'limitBytes', 'sinceSeconds'] as const;

function readOptions(query: URLSearchParams, pod: string): Result<LogOptions, Refusal> {
  const given: Record<(typeof numbers)[number], number | null> = {
    tailLines: null,
    limitBytes: null,
    sinceSeconds: null,
  };
  for (const name of numbers) {
    const text = query.get(name) ?? '';
    if (text === '') continue;
    if (!/^-?\d+$/.test(text))
      return err(badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`));
    given[name] = Number(text);
  }
  const sinceTime = parseTime(query.get('sinceTime'));
  const errors = optionErrors({ ...given, sinceTime });
  if (errors.length > 0)
    return err(invalidObject({ group: '', plural: '', kind: 'PodLogOptions', name: pod }, errors));
  const isSet = (name: string) => ['true', '1'].includes(query.get(name) ?? '');
  return ok({ ...given, sinceTime, isFollowed: isSet('follow'), hasTimes: isSet('timestamps') });
}

type Bounds = Pick<LogOptions, 'tailLines' | 'limitBytes' | 'sinceSeconds' | 'sinceTime'>;

function optionErrors({ tailLines, limitBytes, sinceSeconds, sinceTime }: Bounds): readonly FieldError[] {
  const errors: FieldError[] = [];
  if (tailLines !== null && tailLines < 0)
    errors.push(invalid('tailLines', tailLines, 'must be greater than or equal to 0'));
  if (limitBytes !== null && limitBytes < 1)
    errors.push(invalid('limitBytes', limitBytes, 'must be greater than 0'));
  if (sinceSeconds !== null && sinceTime !== null)
    errors.push(forbidden('[]', 'at most one of `sinceTime` or `sinceSeconds` may be specified'));
  else if (sinceSeconds !== null && sinceSeconds < 1)
    errors.push(invalid('sinceSeconds', sinceSeconds, 'must be greater than 0'));
  return errors;
}

function containerOf(pod: RawObject, wanted: string): Result<LoggedContainer, Refusal> {
  const { name = '', namespace = '', uid = '' } = pod.metadata ?? {};
  const named = (field: string) => recordsIn(partOf(pod, 'spec')[field]).map((each) => textOf(each['name']));
  const [own, initial, late] = [named('containers'), named('initContainers'), named('ephemeralContainers')];
  const node = textOf(partOf(pod, 'spec')['nodeName']);
  if (wanted !== '')
    return [...own, ...initial, ...late].includes(wanted)
      ? ok({ namespace, pod: name, uid, container: wanted, node })
      : err(badRequest(`container ${wanted} is not valid for pod ${name}`));
  const [only = ''] = own;
  if (own.length === 1) return ok({ namespace, pod: name, uid, container: only, node });
  const others = initial.length === 0 ? '' : ` or one of the init containers: [${initial.join(' ')}]`;
  return err(
    badRequest(
      `a container name must be specified for pod ${name}, choose one of: [${own.join(' ')}]${others}`,
    ),
  );
}

function nodePlace({ node }: LoggedContainer): { readonly bucket: string; readonly key: string } {
  return { bucket: 'nodes', key: node };
}

/** In the words that the real server has for each step of the way to a kubelet. */
function unreachable(
  node: RawObject | undefined,
  { namespace, pod, container, node: name }: LoggedContainer,
): Refusal {
  if (node === undefined) return notFound({ group: '', plural: 'pods', kind: 'Pod', name });
  const addresses = recordsIn(partOf(node, 'status')['addresses']).map((each) => textOf(each['address']));
  const [address] = addresses;
  if (address === undefined) return internalError('no preferred addresses found; known addresses: []');
  const port =
    Number(partOf(node, 'status', 'daemonEndpoints', 'kubeletEndpoint')['Port'] ?? 0) || KUBELET_PORT;
  const url = `https://${address}:${port}/containerLogs/${namespace}/${pod}/${container}`;
  return internalError(`Get "${url}": dial tcp ${address}:${port}: connect: connection refused`);
}

const KUBELET_PORT = 10_250;

function selected(lines: readonly LogLine[], form: LogForm): string {
  const { sinceSeconds, sinceTime, tailLines, limitBytes, now } = form;
  const from = sinceSeconds === null ? (sinceTime ?? 0) : now - sinceSeconds * 1000;
  const recent = lines.filter(({ at }) => at >= from);
  const last = tailLines === null ? recent : recent.slice(Math.max(0, recent.length - tailLines));
  const text = last.map((line) => written(line, form)).join('');
  return limitBytes === null ? text : Buffer.from(text).subarray(0, limitBytes).toString();
}

function written({ at, text }: LogLine, { hasTimes }: LogForm): string {
  return hasTimes ? `${new Date(at).toISOString()} ${text}\n` : `${text}\n`;
}
