// Random options of requests: what is selected, in pages of which size, in which form, as a trial or not.

import { type Arbitrary, constantFrom, oneof, record } from 'fast-check';
import { forms, type Form, type Kind } from './operation.ts';

const labelSelector = oneof(
  { weight: 4, arbitrary: constantFrom('') },
  {
    weight: 6,
    arbitrary: constantFrom(
      'a=1',
      'a!=1',
      'a in (1,2)',
      'a notin (1)',
      'a',
      '!a',
      'a=1,b=2',
      'conformance.test/c',
      'a>1',
      'a in ()',
    ),
  },
  { weight: 1, arbitrary: constantFrom('a in (', 'a in', '=a', 'a=b c', 'a,,b', 'a=-', '-a', '!a=b', 'a>x') },
);
const fieldSelectors: Readonly<Record<Kind, readonly string[]>> = {
  nodes: ['spec.unschedulable=true'],
  pods: ['status.phase=Running', 'spec.nodeName=', 'spec.restartPolicy!=Always'],
  leases: [],
  events: ['reason=1', 'type!=Normal', 'involvedObject.name=x'],
  newEvents: ['reason=1', 'regarding.kind=Pod'],
  widgets: ['spec.colour=red', 'spec.size=5', 'spec.colour!=red,spec.size=3'],
};

export const selectionOf = (on: Kind): Arbitrary<string> =>
  record({
    labelSelector,
    fieldSelector: oneof(
      { weight: 6, arbitrary: constantFrom('') },
      {
        weight: 6,
        arbitrary: constantFrom('metadata.name=$NAME-a', 'metadata.name!=$NAME-a', ...fieldSelectors[on]),
      },
      { weight: 1, arbitrary: constantFrom('spec.nope=1', 'nonsense') },
    ),
  }).map(queryOf);

/** Nodes of other worlds stand between ours, so that pages differ. */
export const pageOf = (on: Kind): Arbitrary<string> =>
  record({
    limit: constantFrom(...(on === 'nodes' ? [''] : ['', '', '1', '2'])),
    resourceVersion: oneof({ weight: 20, arbitrary: constantFrom('') }, constantFrom('x')),
    resourceVersionMatch: oneof({ weight: 20, arbitrary: constantFrom('') }, constantFrom('Exact', 'Never')),
  }).map(queryOf);

export const form: Arbitrary<Form> = oneof(
  { weight: 3, arbitrary: constantFrom<Form[]>('object') },
  { weight: 2, arbitrary: constantFrom(...forms) },
);

export const writeQuery: Arbitrary<string> = oneof(
  { weight: 12, arbitrary: constantFrom('') },
  { weight: 5, arbitrary: constantFrom('fieldValidation=Strict', 'fieldValidation=Ignore', 'dryRun=All') },
  { weight: 1, arbitrary: constantFrom('dryRun=Some', 'fieldValidation=Never') },
);

function queryOf(fields: Readonly<Record<string, string>>): string {
  return new URLSearchParams(Object.entries(fields).filter(([, value]) => value !== '')).toString();
}
