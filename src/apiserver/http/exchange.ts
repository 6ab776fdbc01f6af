// One HTTP request and its answer, over HTTP/1.1 or HTTP/2, reduced to what the handlers need.

import type { IncomingHttpHeaders } from 'node:http';

export type HttpRequest = {
  readonly method: string;
  /** Without the query, decoded segment by segment by the router. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
};

export type HttpAnswer =
  | { readonly kind: 'whole'; readonly code: number; readonly headers: Headers; readonly text: string }
  /** A long text, made piece by piece so that others get their turn in between. */
  | { readonly kind: 'pieces'; readonly headers: Headers; readonly pieces: Iterable<string> }
  /** Lines that follow one another until one side ends it. `run` returns what ends it. */
  | { readonly kind: 'stream'; readonly headers: Headers; run(sink: LineSink): () => void };

type Headers = Readonly<Record<string, string | readonly string[]>>;

export interface LineSink {
  /** One or several lines. False when the other side is slow: then wait for `drained`. */
  write(lines: string): boolean;
  drained(): Promise<void>;
  end(): void;
}

export function json(code: number, value: unknown, headers: Headers = {}): HttpAnswer {
  return jsonText(code, JSON.stringify(value), headers);
}

export function jsonText(code: number, text: string, headers: Headers = {}): HttpAnswer {
  return {
    kind: 'whole',
    code,
    headers: { 'content-type': 'application/json', ...headers },
    text: `${text}\n`,
  };
}

export function plain(code: number, text: string): HttpAnswer {
  return { kind: 'whole', code, headers: { 'content-type': 'text/plain; charset=utf-8' }, text };
}

/** As RFC 7234 has it; commas and quotes inside of the words are escaped. */
export function warningHeaders(warnings: readonly string[]): Headers {
  if (warnings.length === 0) return {};
  const words = (text: string) => text.replaceAll(/[\\"]/g, '\\$&').replaceAll(/[\r\n]+/g, ' ');
  return { warning: warnings.map((text) => `299 - "${words(text)}"`) };
}

/** The warning stands before those that the answer has. */
export function withWarning(answer: HttpAnswer, warning: string): HttpAnswer {
  const [first] = warningHeaders([warning])['warning'] ?? [];
  const others = answer.headers['warning'] ?? [];
  const all = [...(first === undefined ? [] : [first]), ...(typeof others === 'string' ? [others] : others)];
  return { ...answer, headers: { ...answer.headers, warning: all } };
}
