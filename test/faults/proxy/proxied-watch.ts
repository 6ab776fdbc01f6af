// The lines of one watch on their way through the proxy: held back, doubled or followed by the end of the stream, as rules say.

import type { Http2ServerResponse } from 'node:http2';
import { LineSplitter } from '../../../src/kube/lines.ts';
import type { FaultAction } from '../../../src/sim/faults/rule.ts';
import type { ProxyParts } from './fault-proxy.ts';
import { reset, statusOf } from './replies.ts';

type Setting = {
  readonly parts: ProxyParts;
  readonly resource: string;
  readonly response: Http2ServerResponse;
};

const lineBytesMax = 8 * 1024 * 1024;

export class WatchedLines {
  readonly #setting: Setting;
  readonly #splitter: LineSplitter;
  /** Events that are hidden, by the name of their object. */
  readonly #hidden = new Map<string, { readonly line: string; readonly timer: NodeJS.Timeout }>();

  constructor(setting: Setting) {
    this.#setting = setting;
    this.#splitter = new LineSplitter(
      { line: (bytes) => this.#onLine(bytes.toString('utf8')), tooLong: () => reset(setting.response) },
      lineBytesMax,
    );
  }

  push(bytes: Buffer): void {
    this.#splitter.push(bytes);
  }

  finish(): void {
    for (const { timer } of this.#hidden.values()) clearTimeout(timer);
    if (!this.#setting.response.destroyed) this.#setting.response.end();
  }

  #onLine(line: string): void {
    const { parts, resource, response } = this.#setting;
    if (response.destroyed || response.writableEnded) return;
    const event = JSON.parse(line) as { type: string; object: { metadata?: { name?: string } } };
    if (!['ADDED', 'MODIFIED', 'DELETED'].includes(event.type)) {
      for (const name of this.#hidden.keys()) this.#show(name);
      return void response.write(`${line}\n`);
    }
    const name = event.object.metadata?.name ?? '';
    parts.heard({ resource, name });
    this.#show(name);
    const happening = { verb: 'event', resource, name, instance: parts.victim.instance() } as const;
    const actions = parts.book.strike({ ...happening, phase: 'beforeForward' });
    if (this.#isHeldBack(actions, name, line)) return;
    response.write(`${line}\n`);
    for (const action of parts.book.strike({ ...happening, phase: 'afterReply' })) this.#end(action);
  }

  /** What was hidden of an object comes before anything newer of it. */
  #show(name: string): void {
    const hidden = this.#hidden.get(name);
    if (hidden === undefined) return;
    clearTimeout(hidden.timer);
    this.#hidden.delete(name);
    this.#setting.response.write(`${hidden.line}\n`);
  }

  #isHeldBack(actions: readonly FaultAction[], name: string, line: string): boolean {
    const { parts, response } = this.#setting;
    for (const action of actions) {
      if (action.kind === 'hide') {
        const timer = setTimeout(() => this.#show(name), action.msMax);
        this.#hidden.set(name, { line, timer });
        return true;
      }
      if (action.kind === 'duplicate') response.write(`${line}\n`);
      else if (action.kind === 'crash') parts.victim.crash(action.restartAfterMs);
      else if (action.kind === 'pause') parts.victim.pause(action.ms);
      else throw new Error(`the proxy cannot do this to an event: ${JSON.stringify(action)}`);
    }
    return false;
  }

  #end(action: FaultAction): void {
    const { parts, resource, response } = this.#setting;
    if (action.kind === 'crash') return parts.victim.crash(action.restartAfterMs);
    if (action.kind !== 'cut')
      throw new Error(`the proxy cannot do this to a watch: ${JSON.stringify(action)}`);
    switch (action.ending) {
      case 'reset':
        return reset(response);
      case 'expiredStatus':
        parts.expiring.add(resource);
        return void response.end();
      case 'expiredEvent':
        return void response.end(
          `${JSON.stringify({ type: 'ERROR', object: statusOf({ code: 410, reason: 'Expired' }) })}\n`,
        );
      case 'closed':
        return void response.end();
    }
  }
}
