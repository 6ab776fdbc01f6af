import { expect, it } from 'vitest';
import { noSharing } from '../base/intern.ts';
import { type PolicyView, policySpec } from './gating-policy.ts';
import { createKnownPolicy } from './known-policy.ts';
import type { Cache, Sources } from './ports.ts';

function scene() {
  let held: PolicyView | undefined;
  let isServed = true;
  let tell = () => {};
  const cache = { get: () => held, isServed: () => isServed } as unknown as Cache;
  const sources = {
    of: () => cache,
    subscribe: (_: unknown, listener: () => void) => {
      tell = listener;
      return () => {};
    },
  } as unknown as Sources;
  const { now } = createKnownPolicy(sources, policySpec);
  const change = (nodes: number | null, served = true) => {
    const raw = { metadata: { name: 'default' }, spec: { gating: { percent: 0, nodes } } };
    held = nodes === null ? undefined : policySpec.project(raw, noSharing);
    isServed = served;
    tell();
  };
  return { change, nodesMax: () => now()?.gating[1]?.max };
}

it('keeps the policy that was last seen while the server does not know the kind', () => {
  const { change, nodesMax } = scene();
  for (const nodes of [1, 2]) change(nodes);
  change(null, false);
  expect(nodesMax()).toBe(2);
});

it('has the one that was read live before the watch knows that the kind is back', () => {
  const { change, nodesMax } = scene();
  change(1);
  change(null, false);
  change(3, false);
  expect(nodesMax()).toBe(3);
});

it('has none when it is deleted, nor when the kind is back without it', () => {
  const { change, nodesMax } = scene();
  change(1);
  change(null);
  expect(nodesMax()).toBeUndefined();
  change(1);
  change(null, false);
  change(null);
  expect(nodesMax()).toBeUndefined();
});

it('has none where nobody watches policies', () => {
  const nobody = {} as Sources;
  expect(createKnownPolicy(nobody, undefined).now()).toBeUndefined();
});
