// One request through the proxy, struck in three phases as in the simulator: before the API server sees it, after it has acted,
// after the operator has the reply.

import type { IncomingMessage } from 'node:http';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import https from 'node:https';
import { buffer, json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FaultAction, Phase } from '../../../src/sim/faults/rule.ts';
import type { ProxyParts } from './fault-proxy.ts';
import { pastStateOf } from './past-state.ts';
import { WatchedLines } from './proxied-watch.ts';
import { refuse, reset } from './replies.ts';
import type { Spoken } from './spoken.ts';

export type Exchange = {
  readonly request: Http2ServerRequest;
  readonly response: Http2ServerResponse;
  readonly body: Buffer;
  /** Null: nothing that rules are about. */
  readonly spoken: Spoken | null;
};

export class ProxiedCall {
  readonly #parts: ProxyParts;
  readonly #exchange: Exchange;

  constructor(parts: ProxyParts, exchange: Exchange) {
    this.#parts = parts;
    this.#exchange = exchange;
  }

  async answer(): Promise<void> {
    const { response } = this.#exchange;
    if (this.#mustExpire()) return refuse(response, { code: 410, reason: 'Expired' });
    for (const action of this.#strike('beforeForward')) {
      if (action.kind === 'status') return refuse(response, { reason: 'Faulty', ...action });
      if (action.kind === 'reset') return reset(response);
      if (action.kind === 'serveAt') return this.#streamFrom(action.revisionsBack);
      await this.#suffer(action);
    }
    if (response.destroyed) return;
    const answer = await this.#forward();
    if (answer === null) return reset(response);
    if (this.#exchange.spoken?.verb === 'watch' && answer.statusCode === 200) return this.#stream(answer);
    const text = await buffer(answer);
    for (const action of this.#strike('afterForward')) {
      if (action.kind === 'reset') return reset(response);
      await this.#suffer(action);
    }
    if (response.destroyed) return;
    response.writeHead(answer.statusCode ?? 500, contentOf(answer));
    response.end(text, () => {
      for (const action of this.#strike('afterReply')) void this.#suffer(action);
    });
  }

  #strike(phase: Phase): readonly FaultAction[] {
    const { spoken } = this.#exchange;
    const { book, victim } = this.#parts;
    return spoken === null ? [] : book.strike({ ...spoken, phase, instance: victim.instance() });
  }

  async #suffer(action: FaultAction): Promise<void> {
    const { victim } = this.#parts;
    switch (action.kind) {
      case 'crash':
        return victim.crash(action.restartAfterMs);
      case 'pause':
        return victim.pause(action.ms);
      case 'delay':
        return sleep(action.ms);
      case 'touch':
        return victim.touch(this.#exchange.request.url.split('?')[0] ?? '');
      default:
        throw new Error(`the proxy cannot do this: ${JSON.stringify(action)}`);
    }
  }

  #mustExpire(): boolean {
    const { request, spoken } = this.#exchange;
    const isResumed = spoken?.verb === 'watch' && !request.url.includes('sendInitialEvents');
    return isResumed && this.#parts.expiring.delete(spoken.resource);
  }

  /** Null when the API server cannot be reached. */
  #forward(url = this.#exchange.request.url): Promise<IncomingMessage | null> {
    const { request, response, body } = this.#exchange;
    const { upstream, agent } = this.#parts;
    const outgoing = https.request(new URL(url, upstream), {
      agent,
      method: request.method,
      headers: { ...headersOf(request), ...(body.length > 0 ? { 'content-length': body.length } : {}) },
    });
    response.once('close', () => outgoing.destroy());
    return new Promise((resolve) => {
      outgoing.once('response', resolve);
      outgoing.once('error', () => resolve(null));
      outgoing.end(body);
    });
  }

  /** Only watches start from a past state; what goes on from somewhere goes on from there. */
  async #streamFrom(revisionsBack: number): Promise<void> {
    const { request, response } = this.#exchange;
    if (!request.url.includes('sendInitialEvents')) {
      const answer = await this.#forward();
      return answer === null ? reset(response) : this.#stream(answer);
    }
    const { lines, followUrl } = await pastStateOf(request.url, revisionsBack, (url) => this.#read(url));
    const answer = await this.#forward(followUrl);
    if (answer === null) return reset(response);
    this.#stream(answer, lines);
  }

  async #read(url: string): Promise<unknown> {
    const answer = await this.#forward(url);
    if (answer?.statusCode !== 200)
      throw new Error(`a past state cannot be read: ${answer?.statusCode} ${url}`);
    return json(answer);
  }

  #stream(answer: IncomingMessage, first: readonly string[] = []): void {
    const { response, spoken } = this.#exchange;
    const { resource = '' } = spoken ?? {};
    response.writeHead(200, contentOf(answer));
    const lines = new WatchedLines({ parts: this.#parts, resource, response });
    for (const line of first) lines.push(Buffer.from(`${line}\n`));
    answer.on('data', (bytes: Buffer) => lines.push(bytes));
    answer.once('close', () => lines.finish());
  }
}

/** Headers that belong to one connection stay on it. */
const hopHeaders = ['connection', 'host', 'content-length', 'transfer-encoding', 'keep-alive'];

function headersOf(request: Http2ServerRequest): Record<string, string> {
  return Object.fromEntries(
    Object.entries(request.headers).flatMap(([name, value]) =>
      name.startsWith(':') || hopHeaders.includes(name) || typeof value !== 'string' ? [] : [[name, value]],
    ),
  );
}

function contentOf({ headers }: IncomingMessage): Record<string, string> {
  return { 'content-type': headers['content-type'] ?? 'application/json' };
}
