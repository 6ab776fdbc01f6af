// Tokens of service accounts. They name the account and an end, and are signed by nobody: this server lets everybody in
// who knows its own token, and others only look at what a token says.

import { err, ok } from '../../base/result.ts';
import { formatTime } from '../../base/timestamp.ts';
import { notFound } from '../refusal.ts';
import { partOf } from '../registry/definition.ts';
import { type Core, newUid } from './core.ts';
import { type Outcome, placeOf, subjectOf, type Target, type Write } from './request.ts';

const AUDIENCE = 'https://kubernetes.default.svc.cluster.local';
const SECONDS_DEFAULT = 3600;
/** The real server grants no less either. */
const SECONDS_MIN = 600;

export function requestToken(core: Core, target: Target, { body }: Write): Outcome {
  const account = core.store.get(placeOf(target));
  if (account === undefined) return err(notFound(subjectOf(target)));
  const { expirationSeconds, audiences } = partOf(body, 'spec');
  const seconds = Math.max(SECONDS_MIN, Number(expirationSeconds ?? SECONDS_DEFAULT));
  const nowSeconds = Math.floor(core.clock.now() / 1000);
  const named = Array.isArray(audiences) && audiences.length > 0 ? audiences : [AUDIENCE];
  const claims = {
    aud: named,
    exp: nowSeconds + seconds,
    iat: nowSeconds,
    iss: AUDIENCE,
    jti: newUid(core.random),
    sub: `system:serviceaccount:${target.namespace}:${target.name}`,
  };
  const token = [{ alg: 'none' }, claims].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  );
  const object = {
    kind: 'TokenRequest',
    apiVersion: 'authentication.k8s.io/v1',
    metadata: {
      name: target.name,
      namespace: target.namespace,
      creationTimestamp: formatTime(core.clock.now()),
    },
    spec: { audiences: named, expirationSeconds: seconds, boundObjectRef: null },
    status: { token: `${token.join('.')}.`, expirationTimestamp: formatTime((nowSeconds + seconds) * 1000) },
  };
  return ok({ code: 201, object, warnings: [] });
}
