// In which form a client wants its answer, read from the Accept header: the first acceptable entry wins.

import { err, ok, type Result } from '../../base/result.ts';
import type { Refusal } from '../refusal.ts';

export type Form = 'object' | 'table' | 'partial';

const TRANSFORMS: Readonly<Record<string, Form>> = {
  Table: 'table',
  PartialObjectMetadata: 'partial',
  PartialObjectMetadataList: 'partial',
};

export function formOf(accept: string | undefined): Result<Form, Refusal> {
  if (accept === undefined || accept.trim() === '') return ok('object');
  for (const entry of accept.split(',')) {
    const [type = '', ...parameters] = entry.split(';').map((part) => part.trim());
    if (!['application/json', 'application/*', '*/*'].includes(type)) continue;
    const given = Object.fromEntries(parameters.map((parameter) => parameter.split('=')));
    if (given['as'] === undefined) return ok('object');
    const form = TRANSFORMS[String(given['as'])];
    if (form !== undefined && given['v'] === 'v1' && given['g'] === 'meta.k8s.io') return ok(form);
  }
  return err({
    code: 406,
    reason: 'NotAcceptable',
    message: 'only the following media types are accepted: application/json',
  });
}

export function wantsAggregatedDiscovery(accept: string | undefined): boolean {
  return (accept ?? '').split(',').some((entry) => {
    const given = new Set(entry.split(';').map((part) => part.trim()));
    return given.has('g=apidiscovery.k8s.io') && given.has('v=v2') && given.has('as=APIGroupDiscoveryList');
  });
}
