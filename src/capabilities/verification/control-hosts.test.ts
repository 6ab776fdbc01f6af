import { describe, expect, it } from 'vitest';
import { shelfCaches } from '../../../test/support/capability-builder.ts';
import { lifecycleView } from '../../../test/support/lifecycle-builder.ts';
import { nodeView } from '../../../test/support/node-builder.ts';
import type { NodeView } from '../../objects/node.ts';
import { lifecycleSpec, nodeSpec } from '../../runtime/specs.ts';
import { createHostCounts } from './control-hosts.ts';
import { defaultPolicy, type Policy } from './policy.ts';

const specs = { nodes: nodeSpec, lifecycles: lifecycleSpec };
const blue: Policy = {
  ...defaultPolicy({}),
  selector: [{ kind: 'in', key: 'pool', values: ['blue'] }],
};

function fleet(pools: Readonly<Record<string, string>>) {
  const caches = shelfCaches();
  const asked: string[] = [];
  const verify = (more: Readonly<Record<string, string>>) => {
    const names = Object.entries(more);
    caches.sync(nodeSpec, ...names.map(([name, pool]) => nodeView({ name, uid: name, labels: { pool } })));
    caches.sync(
      lifecycleSpec,
      ...names.map(([name]) => ({ ...lifecycleView({ verification: { state: 'verified' } }, name), name })),
    );
  };
  verify(pools);
  const policyOf = (node: NodeView) => {
    asked.push(node.name);
    return blue;
  };
  const counts = createHostCounts();
  return { verify, asked, count: (now: number) => counts.of(caches, { specs, policy: blue, policyOf }, now) };
}

describe('nodes that could run a control worker', () => {
  it('are counted as far as it matters', () => {
    const { count, asked } = fleet({ a: 'blue', b: 'blue', c: 'blue' });
    expect(count(0)).toBe(2);
    expect(asked).toEqual(['a', 'b']);
  });

  it('are told from those of other policies by their labels before anything else', () => {
    const { count, asked } = fleet({ a: 'red', b: 'blue', c: 'red' });
    expect(count(0)).toBe(1);
    expect(asked).toEqual(['b']);
  });

  it('are looked for once a second, however many nodes ask, and no later', () => {
    const { count, verify } = fleet({ a: 'red' });
    expect(count(0)).toBe(0);
    verify({ a: 'blue' });
    expect(count(999)).toBe(0);
    expect(count(1_000)).toBe(1);
  });

  it('are looked for again when the clock was set back', () => {
    const { count, verify } = fleet({ a: 'red' });
    expect(count(60_000)).toBe(0);
    verify({ a: 'blue' });
    expect(count(0)).toBe(1);
  });
});
