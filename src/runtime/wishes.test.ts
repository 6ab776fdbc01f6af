import { describe, expect, it } from 'vitest';
import { capability } from '../../test/support/capability-builder.ts';
import { manualClock } from '../../test/support/manual-clock.ts';
import { absent, present } from '../../test/support/wish-builder.ts';
import { seededRandom } from '../base/random.ts';
import type { NodeWish } from '../objects/wish.ts';
import type { CapabilityDecision } from './evaluate.ts';
import { createRejections } from './rejections.ts';
import { countWishes } from './wishes.ts';

const said = (name: string, rank: number, wish: NodeWish): CapabilityDecision => ({
  capability: capability({ name, rank }),
  decision: { verdicts: [], wish, requests: [], recheckAt: null },
  failure: null,
});
const label = (value: string, owner: string): NodeWish => ({ labels: { team: present(value, { owner }) } });
const noRejections = () => createRejections({ clock: manualClock(), random: seededRandom(1) });
const config = said('nodeconfig', 1, label('config', 'nodeconfig/NodeConfig/x'));
const readiness = said('readiness', 3, label('ready', 'readiness/Rule/y'));

describe('the wishes that count', () => {
  it('are those of all who speak', () => {
    const other = said('other', 2, { taints: { 'gate:NoSchedule': absent() } });
    const { merged, verdicts } = countWishes('a', [config, other], noRejections());
    expect(merged.keys.map(({ key, capability: by }) => [key, by])).toEqual([
      ['team', 'nodeconfig'],
      ['gate:NoSchedule', 'other'],
    ]);
    expect(verdicts).toEqual([]);
  });

  it.each([[[config, readiness]], [[readiness, config]]])(
    'are those of the higher rank, and both sides are told who has its way over whom, in any order (%#)',
    (speaking) => {
      const { merged, verdicts } = countWishes('a', speaking, noRejections());
      expect(merged.keys).toMatchObject([{ capability: 'readiness', wish: { value: 'ready' } }]);
      expect(verdicts).toEqual([
        {
          capability: 'readiness',
          parent: 'readiness/Rule/y',
          outcome: 'unknown',
          reason: 'Conflict',
          message: 'labels team: readiness/Rule/y has its way over nodeconfig/NodeConfig/x',
        },
        {
          capability: 'nodeconfig',
          parent: 'nodeconfig/NodeConfig/x',
          outcome: 'unknown',
          reason: 'Conflict',
          message: 'labels team: readiness/Rule/y has its way over nodeconfig/NodeConfig/x',
        },
      ]);
    },
  );

  it('conflict in nothing when two ask for the same', () => {
    const same = said('nodeconfig', 1, label('ready', 'nodeconfig/NodeConfig/x'));
    expect(countWishes('a', [same, readiness], noRejections()).verdicts).toEqual([]);
  });

  it('are not those that the server refused, and that is said', () => {
    const rejections = noRejections();
    rejections.add({
      node: 'a',
      owner: 'readiness/Rule/y',
      wish: readiness.decision.wish,
      message: 'bad value',
    });
    const { merged, verdicts, resting } = countWishes('a', [config, readiness], rejections);
    expect(resting).toEqual(['readiness/Rule/y']);
    expect(merged.keys).toMatchObject([{ capability: 'nodeconfig', wish: { value: 'config' } }]);
    expect(verdicts).toMatchObject([
      { capability: 'readiness', parent: 'readiness/Rule/y', reason: 'Rejected', message: 'bad value' },
    ]);
  });

  it('are those of the other owners of the capability all the same', () => {
    const rejections = noRejections();
    const wish = {
      taints: { 'x:NoSchedule': absent('named', 'readiness/Rule/x') },
      ...label('bad', 'readiness/Rule/y'),
    };
    rejections.add({
      node: 'a',
      owner: 'readiness/Rule/y',
      wish: label('bad', 'readiness/Rule/y'),
      message: 'no',
    });
    const { merged } = countWishes('a', [said('readiness', 3, wish)], rejections);
    expect(merged.keys).toMatchObject([{ key: 'x:NoSchedule', wish: { owner: 'readiness/Rule/x' } }]);
  });

  it('are refused on the one node alone', () => {
    const rejections = noRejections();
    rejections.add({
      node: 'b',
      owner: 'readiness/Rule/y',
      wish: readiness.decision.wish,
      message: 'bad value',
    });
    expect(countWishes('a', [readiness], rejections).merged.keys).toHaveLength(1);
  });
});
