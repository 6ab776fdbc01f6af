// Proves that the clock of this node agrees with that of the API server, without which tokens and certificates fail in odd
// ways. A Date header has whole seconds and takes half a round trip: doubt counts in favour of the node.

import { defineCheck } from './check.ts';
import { fail, inconclusive, type Outcome, pass } from './outcome.ts';
import { number, one } from './params.ts';
import type { ApiAnswer } from './world.ts';

export const clockSkew = defineCheck({
  name: 'clock-skew',
  summary: "compares the node's clock with the API server's",
  params: {
    skewSecondsMax: one(number({ min: 2, max: 3600 }), { default: 5, help: 'by how much they may differ' }),
  },
  async run({ skewSecondsMax }, { api, limits }) {
    const answer = await api.request({ method: 'GET', path: '/version' }, limits);
    // Whether the server can be reached is for another check to say; here it only means that nothing was measured.
    if (answer.kind === 'error') return { ...answer.error, kind: 'inconclusive', code: codeOf(answer.error) };
    const skew = skewOf(answer.value);
    if (skew === null) return inconclusive('NoDate', 'the API server sent no date');
    const seconds = `${(skew.ms / 1000).toFixed(1)} s ahead of the API server`;
    return Math.abs(skew.ms) - skew.doubtMs > skewSecondsMax * 1000
      ? fail('ClockSkewed', `${seconds}, at most ${skewSecondsMax} s are allowed`)
      : pass(seconds);
  },
});

function codeOf(outcome: Outcome) {
  return outcome.kind === 'pass' ? 'InternalError' : outcome.code;
}

function skewOf({ date, sentAt, receivedAt }: ApiAnswer): { ms: number; doubtMs: number } | null {
  const second = date === undefined ? Number.NaN : Date.parse(date);
  if (Number.isNaN(second)) return null;
  const halfSecondMs = 500;
  const midway = (sentAt + receivedAt) / 2;
  return { ms: midway - (second + halfSecondMs), doubtMs: halfSecondMs + (receivedAt - sentAt) / 2 };
}
