// Planted bugs of the record: effects before it, foreign entries believed, incarnations mixed up.

import type { Mutant } from './mutant.ts';

export const recordMutants: readonly Mutant[] = [
  {
    name: 'release-foreign-entry',
    summary: 'an ownership record that the node wrote itself is believed',
    file: 'src/runtime/node-patch.ts',
    replace: 'if (!isListed(listed, { kind, key, value: entry.wrote })) return { value: current, entry };',
    by: 'if (listed === undefined) return { value: current, entry };',
    scenario: 'forged-record',
    families: ['none'],
    caughtBy: 'I1 own only',
  },
  {
    name: 'effect-before-record',
    summary: 'the node is written first and the record after it',
    file: 'src/runtime/pass.ts',
    replace: "steps: [writing('record'), ...patching], event };",
    by: "steps: [...patching, writing('record')], event };",
    scenario: 'owned-record',
    families: ['none'],
    caughtBy: 'I5 no gate bypass',
  },
  {
    name: 'birth-without-proof',
    summary: 'a node without a record is written as if it had one',
    file: 'src/runtime/pass.ts',
    replace: 'merged.keys.filter((wish) => !lacksProof({}, [wish]));',
    by: 'merged.keys.filter((wish) => !lacksProof({}, []) && wish.key !== "");',
    scenario: 'owned-record',
    families: ['none'],
    caughtBy: 'I5 no gate bypass',
  },
  {
    name: 'record-of-another',
    summary: 'the record of an earlier node of the same name is taken for this one',
    file: 'src/runtime/pass.ts',
    replace: 'const isForeignRecord = lifecycle !== undefined && lifecycle.nodeUID !== node.uid;',
    by: 'const isForeignRecord = lifecycle !== undefined && lifecycle.nodeUID === "";',
    scenario: 're-creation',
    families: ['none', 'lag', 'hidden event'],
    caughtBy: 'I5 no gate bypass',
  },
  {
    name: 'forgets-late-writes',
    summary: 'a key leaves the record while a write of it may still arrive',
    file: 'src/fleet/lifecycle.ts',
    replace: "return order === 'equal' || order === 'older';",
    by: "return order === 'unknown';",
    scenario: 'owned-record',
    families: ['slow'],
    plan: {
      rules: [
        {
          match: { verb: 'patch', resource: 'nodes', name: 'b', nth: 1, phase: 'beforeForward' },
          action: { kind: 'delay', ms: 40000 },
        },
      ],
    },
    caughtBy: 'I5 no gate bypass',
  },
  {
    name: 'orphan-record',
    summary: 'a record does not name its node as owner and outlives it',
    file: 'src/runtime/act.ts',
    replace: `      ownerReferences: [
        { apiVersion: apiVersionOf(nodeType), kind: nodeType.kind, name: node.name, uid: node.uid },
      ],`,
    by: '      ownerReferences: [],',
    scenario: 'departures',
    families: ['none'],
    caughtBy: 'I7 stable convergence',
  },
  {
    name: 'war-with-the-collector',
    summary: 'a record is created again and again for a node that is gone',
    file: 'src/runtime/centre.ts',
    replace: 'if (nodes.get(name)?.uid === nodeUID) nodes.doubt(name);',
    by: 'if (nodes.get(name)?.uid === nodeUID) return;',
    scenario: 'departures',
    families: ['expired watch', 'hidden event'],
    plan: {
      rules: [
        {
          match: { verb: 'event', resource: 'nodes', name: 'b', nth: 3, phase: 'beforeForward' },
          action: { kind: 'hide', msMax: 20000 },
        },
      ],
    },
    caughtBy: 'I9 no fight',
  },
];
