// Proves that this node reaches the API server, that each trusts the other, and that the server takes a token issued for
// this pod. Reads nothing else and never retries: the runner does.

import { defineCheck } from './check.ts';
import { fail, inconclusive, type Outcome, pass } from './outcome.ts';
import { isRecord } from './params.ts';
import type { Api, ApiAnswer } from './world.ts';

export const api = defineCheck({
  name: 'api',
  summary: "checks the API server's certificate, /readyz, and that the worker's token is accepted",
  params: {},
  async run(_params, { api, limits }) {
    const ready = await api.request({ method: 'GET', path: '/readyz' }, limits);
    if (ready.kind === 'error') return ready.error;
    if (ready.value.status !== 200) return judgeStatus(ready.value, '/readyz');
    const review = await api.request({ method: 'POST', path: REVIEWS, body: reviewBody }, limits);
    if (review.kind === 'error') return review.error;
    if (review.value.status !== 201) return judgeStatus(review.value, 'SelfSubjectReview');
    return judgeReview(review.value, api);
  },
});

const REVIEWS = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
const reviewBody = JSON.stringify({ apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' });

/** A server that is ill or that withholds a read says nothing about the node. */
function judgeStatus({ status }: ApiAnswer, what: string): Outcome {
  if (status === 401) return fail('Unauthorized', `${what} answered 401: the token is not accepted`);
  if (status === 403) return inconclusive('Forbidden', `${what} answered 403`);
  if (status === 429 || status >= 500) return inconclusive('ServerError', `${what} answered ${status}`);
  return fail('BadAnswer', `${what} answered ${status}`);
}

function judgeReview({ body }: ApiAnswer, { namespace }: Api): Outcome {
  const user = usernameOf(body);
  if (user === null) return fail('BadAnswer', 'SelfSubjectReview did not say who the worker is');
  const wanted = namespace === '' ? 'system:serviceaccount:' : `system:serviceaccount:${namespace}:`;
  if (user.startsWith(wanted)) return pass(`accepted as ${user}`);
  return fail('Unauthorized', `taken for ${user}, not for an account of ${namespace || 'a namespace'}`);
}

function usernameOf(body: string): string | null {
  try {
    const review: unknown = JSON.parse(body);
    const status = isRecord(review) ? review['status'] : null;
    const user = isRecord(status) ? status['userInfo'] : null;
    return isRecord(user) && typeof user['username'] === 'string' ? user['username'] : null;
  } catch {
    return null;
  }
}
