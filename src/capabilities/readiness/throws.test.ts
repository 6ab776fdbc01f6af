import { expect, it } from 'vitest';
import { shelfCaches } from '../../../test/support/capability-builder.ts';
import { nodeView } from '../../../test/support/node-builder.ts';
import { ruleView } from '../../../test/support/rule-builder.ts';
import { noAnswers } from '../../runtime/asked.ts';
import { lifecycleSpec, nodeSpec } from '../../runtime/specs.ts';
import { readinessSpecs } from './specs.ts';
import { countThrows } from './throws.ts';

const specs = readinessSpecs({ nodes: nodeSpec, lifecycles: lifecycleSpec });

it('what was thrown first goes on to who runs readiness, also where nobody can find out whom it concerns', () => {
  const failed: string[] = [];
  const throws = countThrows(specs, { failed: (rule) => failed.push(rule) });
  throws.sees({ leadsSince: () => 0 });
  const caches = shelfCaches();
  caches.sync(specs.rules.NodeReadinessGateRule, ruleView());
  let looks = 0;
  const node = Object.defineProperty(nodeView(), 'labels', {
    get() {
      throw new Error(`look ${++looks}`);
    },
  });
  expect(() => throws.gather(caches, node, noAnswers)).toThrow('look 1');
  expect([looks, failed]).toEqual([2, []]);
});
