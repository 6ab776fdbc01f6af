// The floor: the same transport and the same splitting of lines as Muster's. What a client takes beyond this is its own doing.

import { systemClock } from '../../../src/base/clock.ts';
import { systemRandom } from '../../../src/base/random.ts';
import { ok } from '../../../src/base/result.ts';
import { LINE_BYTES_MAX } from '../../../src/kube/api-watch.ts';
import { createDialer } from '../../../src/kube/dial.ts';
import { createHttp1Transport } from '../../../src/kube/http1-transport.ts';
import { LineSplitter } from '../../../src/kube/lines.ts';
import { createNegotiatedTransport } from '../../../src/kube/negotiated-transport.ts';
import type { Transport } from '../../../src/kube/transport.ts';
import type { Follow, Heard } from '../measure.ts';
import type { Target } from '../messages.ts';

const path = '/api/v1/nodes?allowWatchBookmarks=true';
const streamed = `${path}&watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan`;
const pageLimit = 200;
const headLength = 400;

/** `use` is given the bytes of every line, or of every page. */
export function followBare(use: (bytes: Buffer) => void): Follow {
  return (target, heard) => {
    const transport = connect(target);
    const startAgain = () => {
      const progress = { heard, use, expired: startAgain };
      if (target.start === 'stream') watch(transport, streamed, progress);
      else readPages(transport, 0, progress);
    };
    startAgain();
  };
}

type Progress = {
  readonly heard: Heard;
  readonly use: (bytes: Buffer) => void;
  readonly expired: () => void;
};

function watch(transport: Transport, query: string, { heard, use, expired }: Progress): void {
  let added = 0;
  const lines = new LineSplitter(
    {
      line(bytes) {
        use(bytes);
        const head = bytes.toString('latin1', 0, headLength);
        if (head.startsWith('{"type":"ADDED"')) added += 1;
        else if (head.startsWith('{"type":"MODIFIED"')) heard.changed(versionIn(bytes.toString('latin1')));
        else if (head.startsWith('{"type":"ERROR"')) expired();
        else if (bytes.includes('initial-events-end')) heard.synced(added);
      },
      tooLong: fail,
    },
    LINE_BYTES_MAX,
  );
  transport.send(get(query), { head() {}, chunk: (bytes) => lines.push(bytes), ended() {} });
}

/** Page after page. What a page says of the rest stands at its beginning. */
function readPages(transport: Transport, from: number, progress: Progress): void {
  const chunks: Buffer[] = [];
  const query = `${path}&limit=${pageLimit}${from === 0 ? '' : `&continue=${from}`}`;
  transport.send(get(query), {
    head() {},
    chunk: (bytes) => void chunks.push(bytes),
    ended() {
      const bytes = Buffer.concat(chunks);
      progress.use(bytes);
      if (bytes.toString('latin1', 0, headLength).includes('"continue"')) {
        return readPages(transport, from + pageLimit, progress);
      }
      watch(transport, `${path}&watch=true&resourceVersion=0`, progress);
      progress.heard.synced(null);
    },
  });
}

function get(query: string) {
  return { method: 'GET', path: query, headers: { accept: 'application/json' }, body: null } as const;
}

function versionIn(text: string): string {
  const from = text.indexOf('"resourceVersion":"') + '"resourceVersion":"'.length;
  return text.slice(from, text.indexOf('"', from));
}

function connect({ server, ca, protocol }: Target): Transport {
  const ports = { clock: systemClock, random: systemRandom, server: new URL(server) };
  const dialer = createDialer({
    ...ports,
    proxy: null,
    tlsServerName: null,
    insecureSkipTlsVerify: false,
    tlsMaterial: () => Promise.resolve(ok({ ca, certificate: null })),
  });
  return protocol === 'auto'
    ? createNegotiatedTransport({ ...ports, dialer })
    : createHttp1Transport({ ...ports, dial: () => dialer.dial(['http/1.1']) });
}

function fail(start: string): never {
  throw new Error(`a line is too long: ${start}`);
}
