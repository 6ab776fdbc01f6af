import { describe, expect, it } from 'vitest';
import { hear } from '../../test/support/heard.ts';
import { settle } from '../../test/support/manual-clock.ts';
import { err, ok, type Result } from '../base/result.ts';
import { createAuthorizedTransport } from './authorized-transport.ts';
import type { Identity } from './identity.ts';
import type { Receiver, TransportRequest } from './transport.ts';

const request: TransportRequest = {
  method: 'POST',
  path: '/a',
  headers: { accept: 'x' },
  body: Buffer.from('b'),
};

function as(token: string | null, certificate: string | null = null): Identity {
  return {
    authorization: token === null ? null : `Bearer ${token}`,
    certificate: certificate === null ? null : { certificate, key: `key of ${certificate}` },
  };
}

/** An inner transport that leaves the answers to the test. */
function setUp(identities: readonly Result<Identity, string>[]) {
  const sent: { readonly request: TransportRequest; readonly receiver: Receiver }[] = [];
  let current = 0;
  let renewals = 0;
  const refusals: Identity[] = [];
  const transport = createAuthorizedTransport(
    {
      send(request, receiver) {
        sent.push({ request, receiver });
        return () => queueMicrotask(() => receiver.ended({ kind: 'cancelled', mayHaveArrived: true }));
      },
      renewConnections: () => {
        renewals += 1;
      },
    },
    {
      current: async () => identities[Math.min(current, identities.length - 1)] ?? err('none'),
      refused(identity) {
        refusals.push(identity);
        current += 1;
      },
    },
  );
  const answer = (index: number, status: number, body: string) => {
    sent[index]?.receiver.head({ status, headers: {} });
    sent[index]?.receiver.chunk(Buffer.from(body));
    sent[index]?.receiver.ended({ kind: 'complete' });
    return settle();
  };
  const tokens = () => sent.map(({ request }) => request.headers['authorization'] ?? null);
  return { transport, sent, answer, tokens, refusals, renewals: () => renewals };
}

async function send(setup: ReturnType<typeof setUp>) {
  const heard = hear();
  const cancel = setup.transport.send(request, heard);
  await settle();
  return { heard, cancel };
}

describe('a request', () => {
  it('carries the token and what it carried before', async () => {
    const setup = setUp([ok(as('t1'))]);
    const { heard } = await send(setup);
    expect(setup.sent[0]?.request).toEqual({
      ...request,
      headers: { accept: 'x', authorization: 'Bearer t1' },
    });
    await setup.answer(0, 200, 'fine');
    expect(heard.calls).toEqual(['head 200', 'chunk', 'complete']);
  });

  it('carries nothing when there is nothing to show', async () => {
    const setup = setUp([ok(as(null))]);
    await send(setup);
    expect(setup.sent[0]?.request).toEqual(request);
  });

  it('is not sent when we do not know who we are', async () => {
    const setup = setUp([err('aws is not installed')]);
    const { heard } = await send(setup);
    expect(await heard.over).toEqual({ kind: 'noCredentials', message: 'aws is not installed' });
    expect(setup.sent).toEqual([]);
  });
});

describe('a 401', () => {
  it('is answered by reading the identity again and sending once more', async () => {
    const setup = setUp([ok(as('t1')), ok(as('t2'))]);
    const { heard } = await send(setup);
    await setup.answer(0, 401, 'who are you?');
    await setup.answer(1, 201, 'created');
    expect(setup.tokens()).toEqual(['Bearer t1', 'Bearer t2']);
    expect(setup.refusals).toEqual([as('t1')]);
    expect(heard.calls).toEqual(['head 201', 'chunk', 'complete']);
    expect(heard.body()).toBe('created');
  });

  it('is passed on when there is no other identity', async () => {
    const setup = setUp([ok(as('t1'))]);
    const { heard } = await send(setup);
    await setup.answer(0, 401, 'who are you?');
    expect(setup.tokens()).toEqual(['Bearer t1']);
    expect(heard.calls).toEqual(['head 401', 'chunk', 'complete']);
    expect(heard.body()).toBe('who are you?');
  });

  it('is passed on when the second identity is not accepted either', async () => {
    const setup = setUp([ok(as('t1')), ok(as('t2')), ok(as('t3'))]);
    const { heard } = await send(setup);
    await setup.answer(0, 401, 'who are you?');
    await setup.answer(1, 401, 'still: who are you?');
    expect(setup.tokens()).toEqual(['Bearer t1', 'Bearer t2']);
    expect(heard.body()).toBe('still: who are you?');
  });

  it('ends without a second try when the identity cannot be read again', async () => {
    const setup = setUp([ok(as('t1')), err('the file is gone')]);
    const { heard } = await send(setup);
    await setup.answer(0, 401, 'who are you?');
    expect(await heard.over).toEqual({ kind: 'noCredentials', message: 'the file is gone' });
  });
});

describe('a cancel', () => {
  it('before the identity is known means that nothing was sent', async () => {
    const setup = setUp([ok(as('t1'))]);
    const heard = hear();
    setup.transport.send(request, heard)();
    expect(await heard.over).toEqual({ kind: 'cancelled', mayHaveArrived: false });
    expect(setup.sent).toEqual([]);
  });

  it('reaches the request that is on its way', async () => {
    const setup = setUp([ok(as('t1')), ok(as('t2'))]);
    const { heard, cancel } = await send(setup);
    await setup.answer(0, 401, 'who are you?');
    cancel();
    expect(await heard.over).toEqual({ kind: 'cancelled', mayHaveArrived: true });
    expect(heard.calls).toEqual(['cancelled']);
  });
});

describe('a certificate', () => {
  it('that changes asks for new connections, and one that stays does not', async () => {
    const setup = setUp([ok(as('t1', 'c1')), ok(as('t2', 'c1')), ok(as('t3', 'c2'))]);
    await send(setup);
    await setup.answer(0, 401, '');
    expect(setup.renewals()).toBe(0);
    await setup.answer(1, 200, '');
    await send(setup);
    await setup.answer(2, 401, '');
    expect(setup.renewals()).toBe(1);
  });
});
