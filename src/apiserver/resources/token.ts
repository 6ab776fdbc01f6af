// Tokens of service accounts. They name the account and an end, and are signed by nobody: this server lets everybody in
// who knows its own token, and others only look at what a token says.

import { err, ok } from '../../base/result.ts';
import { formatTime } from '../../base/timestamp.ts';
import { type FieldError, invalid } from '../field-error.ts';
import { invalidObject, notFound } from '../refusal.ts';
import { partOf } from '../registry/definition.ts';
import { type Core, newUid } from './core.ts';
import { type Outcome, placeOf, subjectOf, type Target, type Write } from './request.ts';

const AUDIENCE = 'https://kubernetes.default.svc.cluster.local';
const SECONDS_DEFAULT = 3600;
const SECONDS_MIN = 600;
const SECONDS_MAX = 2 ** 32;
/** A token has three parts, whoever reads it. */
const NO_SIGNATURE = 'unsigned';

export function requestToken(core: Core, target: Target, { body }: Write): Outcome {
  const account = core.store.get(placeOf(target));
  if (account === undefined) return err(notFound(subjectOf(target)));
  const { expirationSeconds, audiences } = partOf(body, 'spec');
  const seconds = Number(expirationSeconds ?? SECONDS_DEFAULT);
  const errors = durationErrors(seconds);
  if (errors.length > 0) return err(invalidObject(REQUEST, errors));
  const nowSeconds = Math.floor(core.clock.now() / 1000);
  const { name, namespace } = target;
  const named = Array.isArray(audiences) && audiences.length > 0 ? audiences : [AUDIENCE];
  const claims = {
    aud: named,
    exp: nowSeconds + seconds,
    iat: nowSeconds,
    iss: AUDIENCE,
    jti: newUid(core.random),
    'kubernetes.io': { namespace, serviceaccount: { name, uid: account.metadata?.uid } },
    nbf: nowSeconds,
    sub: `system:serviceaccount:${namespace}:${name}`,
  };
  const token = [JSON.stringify({ alg: 'none' }), JSON.stringify(claims), NO_SIGNATURE].map((part) =>
    Buffer.from(part).toString('base64url'),
  );
  const object = {
    kind: 'TokenRequest',
    apiVersion: 'authentication.k8s.io/v1',
    metadata: { name, namespace, creationTimestamp: formatTime(core.clock.now()) },
    spec: { audiences: named, expirationSeconds: seconds, boundObjectRef: null },
    status: { token: token.join('.'), expirationTimestamp: formatTime((nowSeconds + seconds) * 1000) },
  };
  return ok({ code: 201, object, warnings: [] });
}

const REQUEST = {
  group: 'authentication.k8s.io',
  plural: 'tokenrequests',
  kind: 'TokenRequest',
  name: '',
} as const;

function durationErrors(seconds: number): readonly FieldError[] {
  const path = 'spec.expirationSeconds';
  if (seconds < SECONDS_MIN)
    return [invalid(path, seconds, 'may not specify a duration less than 10 minutes')];
  if (seconds > SECONDS_MAX)
    return [invalid(path, seconds, 'may not specify a duration larger than 2^32 seconds')];
  return [];
}
