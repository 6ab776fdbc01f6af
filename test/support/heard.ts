// A Receiver that remembers what it heard, and lets a test wait for the parts.
import type { Receiver, ResponseHead, StreamEnd } from '../../src/kube/transport.ts';

export type Heard = Receiver & {
  readonly headCame: Promise<ResponseHead>;
  readonly chunkCame: Promise<void>;
  readonly over: Promise<StreamEnd>;
  /** Every call in order: `head 200`, `chunk`, `complete`, ... */
  readonly calls: readonly string[];
  readonly body: () => string;
};

export function hear(): Heard {
  const calls: string[] = [];
  const chunks: Buffer[] = [];
  const head = Promise.withResolvers<ResponseHead>();
  const chunk = Promise.withResolvers<void>();
  const over = Promise.withResolvers<StreamEnd>();
  return {
    head(received) {
      calls.push(`head ${received.status}`);
      head.resolve(received);
    },
    chunk(bytes) {
      calls.push('chunk');
      chunks.push(bytes);
      chunk.resolve();
    },
    ended(end) {
      calls.push(end.kind);
      over.resolve(end);
    },
    headCame: head.promise,
    chunkCame: chunk.promise,
    over: over.promise,
    calls,
    body: () => Buffer.concat(chunks).toString(),
  };
}
