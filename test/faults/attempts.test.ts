import { describe, expect, it } from 'vitest';
import { workerAnnotations } from '../../src/api/keys.ts';
import { textOf } from '../../src/objects/raw.ts';
import { Harness } from './harness.ts';
import { launchOperator } from './operator.ts';
import { at, resources } from './oracles/oracle.ts';
import type { Run } from './run.ts';
import { verificationBirths } from './scenarios/verification-births.ts';
import { verificationControls } from './scenarios/verification-controls.ts';
import { verificationDepartures } from './scenarios/verification-departures.ts';
import { verificationRetries } from './scenarios/verification-retries.ts';
import { isControlPod } from './workers.ts';

/** Node, round and attempt of every worker that was made, in the order of the nodes' names. */
function workersOf({ writes }: Run): readonly string[] {
  return writes
    .filter(({ resource, before }) => resource === resources.pods && before === null)
    .filter(({ after }) => !isControlPod(after))
    .map(({ after }) => {
      const said = (key: string) => textOf(at(after, 'metadata', 'annotations', key));
      const { targetNode, round, attempt } = workerAnnotations;
      return `${said(targetNode)} ${said(round)}.${said(attempt)}`;
    })
    .toSorted();
}

describe('a calm run makes no worker but', () => {
  const harness = new Harness(launchOperator);

  it.each([
    [verificationBirths, ['bad 1.1', 'bad 1.2', 'bare 1.1', 'tainted 1.1', 'tainted 1.2']],
    [verificationRetries, ['a 1.1', 'a 1.2', 'a 1.3', 'b 1.1', 'b 1.1', 'b 1.2']],
    [
      verificationDepartures,
      ['abandoned 1.1', 'gone 1.1', 'rebooted 1.1', 'rebooted 2.1', 'replaced 1.1', 'replaced 1.1'],
    ],
    [verificationControls, ['first 1.1', 'gone 1.1', 'third 1.1']],
  ])('those of $name', async (scenario, workers) => {
    expect(workersOf(await harness.reference(scenario))).toEqual(workers);
  });

  it('control workers on the nodes that are verified, of which one goes with its node', async () => {
    const { writes } = await harness.reference(verificationControls);
    const nodes = writes
      .filter(({ before, after }) => before === null && isControlPod(after))
      .map(({ after }) => textOf(at(after, 'metadata', 'annotations', workerAnnotations.targetNode)));
    expect(nodes.toSorted()).toEqual(['first', 'first', 'gone']);
  });
});
