// What the handlers of a front share: the server behind it, the texts it has written, and one request as it was understood.

import type { ApiServer } from '../api-server.ts';
import type { Refusal } from '../refusal.ts';
import type { Target } from '../resources/request.ts';
import type { AnswerForm } from './answer.ts';
import type { HttpRequest } from './exchange.ts';
import type { ObjectTexts } from './object-text.ts';
import type { ResourcePath } from './route.ts';

export type Handling = {
  readonly server: ApiServer;
  readonly texts: ObjectTexts;
};

export type Asked = {
  readonly request: HttpRequest;
  readonly path: ResourcePath;
  readonly target: Target;
  readonly wanted: AnswerForm;
};

/** Somebody knows a future that this server does not: ask again later. */
export function tooLarge(revision: number, current: number): Refusal {
  return {
    code: 504,
    reason: 'Timeout',
    message: `Too large resource version: ${revision}, current: ${current}`,
    details: {
      causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
      retryAfterSeconds: 1,
    },
    retryAfterSeconds: 1,
  };
}
