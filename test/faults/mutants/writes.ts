// Planted bugs of what is sent: guards left out, conflicts overrun, unknown results believed, names made up.

import type { Mutant } from './mutant.ts';

export const writeMutants: readonly Mutant[] = [
  {
    name: 'patch-without-version',
    summary: 'a Node patch does not say which state it was decided on',
    file: 'src/runtime/node-patch.ts',
    replace: 'uid: node.uid, resourceVersion: node.resourceVersion } };',
    by: 'uid: node.uid } };',
    scenario: 're-creation',
    families: ['none'],
    caughtBy: 'I2 right incarnation',
  },
  {
    name: 'patch-without-uid',
    summary: 'a Node patch does not say which incarnation it means',
    file: 'src/runtime/node-patch.ts',
    replace: 'uid: node.uid, resourceVersion: node.resourceVersion } };',
    by: 'resourceVersion: node.resourceVersion } };',
    scenario: 're-creation',
    families: ['none'],
    caughtBy: 'I2 right incarnation',
  },
  {
    name: 'delete-without-guard',
    summary: 'a record is deleted whichever it is',
    file: 'src/runtime/act.ts',
    replace: 'name), { uid, resourceVersion });',
    by: 'name), uid === resourceVersion ? { uid } : {});',
    scenario: 're-creation',
    families: ['none', 'slow', 'lag'],
    caughtBy: 'I2 right incarnation',
  },
  {
    name: 'blind-retry',
    summary: 'a conflict is answered by the same patch with the newest resourceVersion',
    file: 'src/runtime/act.ts',
    replace: 'const outcome = outcomeOf(await carryOut(api, action));',
    by: `let outcome = outcomeOf(await carryOut(api, action));
    if (outcome.kind === 'conflict' && action.kind === 'PatchNode') {
      const live = await api.get(clusterRef(nodeType, action.node.name));
      const { resourceVersion } = live.kind === 'ok' ? (live.value.metadata ?? {}) : {};
      const sent = action.patch as { metadata: object };
      const patch = { ...sent, metadata: { ...sent.metadata, resourceVersion } };
      outcome = outcomeOf(await carryOut(api, { ...action, patch }));
    }`,
    scenario: 'owned-record',
    families: ['none', 'slow', 'pause', 'lag'],
    caughtBy: 'I1 own only',
  },
  {
    name: 'unknown-is-success',
    summary: 'a lost reply is taken for done',
    file: 'src/runtime/node-writer.ts',
    replace: `    case 'unknown':
      cache.doubt(name);
      return {`,
    by: `    case 'unknown':
      if (name !== '') return null;
      return {`,
    scenario: 'births',
    families: ['reset'],
    plan: {
      rules: [
        {
          match: {
            verb: 'patch',
            resource: 'nodelifecycles.muster.dev/status',
            name: 'c',
            nth: 1,
            phase: 'beforeForward',
          },
          action: { kind: 'reset' },
        },
      ],
    },
    caughtBy: 'I7 stable convergence',
  },
  {
    name: 'unreadable-is-gone',
    summary: 'a read that failed is taken for a deletion',
    file: 'src/runtime/live-read.ts',
    replace: '  else return false;\n  return true;',
    by: '  else cache.observeGone(name, uid);\n  return true;',
    scenario: 'owned-record',
    families: ['storm'],
    caughtBy: 'I7 stable convergence',
  },
  {
    name: 'new-name-for-each-try',
    summary: 'an event that is told again gets another name',
    file: 'src/kube/events.ts',
    replace: 'call: () => this.#failureOf((call) => this.#options.api.create(ref, body, call)),',
    by: `call: () => {
        const name = series.count++ === 1 ? ref.name : \`\${ref.name}-\${series.count}\`;
        const named = { ...body, metadata: { ...body.metadata, name } };
        return this.#failureOf((call) => this.#options.api.create({ ...ref, name }, named, call));
      },`,
    scenario: 'births',
    families: ['reset'],
    plan: {
      rules: [
        {
          match: {
            verb: 'create',
            resource: 'events.events.k8s.io',
            name: 'b.2e5ebee8417681ab',
            nth: 1,
            phase: 'afterForward',
          },
          action: { kind: 'reset' },
        },
      ],
    },
    caughtBy: 'I6 at most one',
  },
  {
    name: 'generated-record-name',
    summary: 'the server is asked to make up the name of a record',
    file: 'src/runtime/act.ts',
    replace: '    metadata: {\n      name: node.name,',
    by: '    metadata: {\n      generateName: node.name,\n      name: node.name,',
    scenario: 'births',
    families: ['none'],
    caughtBy: 'I6 at most one',
  },
  {
    name: 'taints-by-key',
    summary: 'a taint is known by its key alone, so one of others with the same key goes too',
    file: 'src/objects/taint.ts',
    replace: 'taints.filter((taint) => !isOfId(taint, id))',
    by: 'taints.filter((taint) => taint.key !== parseTaintId(id).key)',
    scenario: 'owned-record',
    families: ['none'],
    caughtBy: 'I1 own only',
  },
  {
    name: 'silent-audit',
    summary: 'what was written is not said',
    file: 'src/runtime/act.ts',
    replace: "  if (outcome.kind === 'done')\n    log.info('write',",
    by: "  if (outcome.kind === 'done')\n    log.debug('write',",
    scenario: 'births',
    families: ['none'],
    caughtBy: 'I14 accountable',
  },
  {
    name: 'no-stand-back',
    summary: 'a fight with another controller is fought on',
    file: 'src/runtime/contests.ts',
    replace: 'const TIMES_MAX = 3;',
    by: 'const TIMES_MAX = 3_000;',
    scenario: 'contest',
    families: ['crash'],
    caughtBy: 'I9 no fight',
  },
  {
    name: 'reporter-gives-up',
    summary: 'a status that met a conflict is not computed again',
    file: 'src/runtime/reporters.ts',
    replace: "    case 'conflict':\n      return { kind: 'retry', soon: false, afterMs: null };",
    by: "    case 'conflict':\n      return done;",
    scenario: 're-creation',
    families: ['conflict'],
    plan: {
      rules: [
        {
          match: {
            verb: 'patch',
            resource: 'stamps.test.muster.dev/status',
            name: 'gate',
            nth: 4,
            phase: 'beforeForward',
          },
          action: { kind: 'status', code: 409 },
        },
      ],
    },
    caughtBy: 'I7 stable convergence',
  },
  {
    name: 'strips-finalizers',
    summary: 'a Node patch takes away what keeps the node for others',
    file: 'src/runtime/node-patch.ts',
    replace: 'uid: node.uid, resourceVersion: node.resourceVersion } };',
    by: 'finalizers: null, uid: node.uid, resourceVersion: node.resourceVersion } };',
    scenario: 'owned-record',
    families: ['none'],
    caughtBy: 'I1 own only',
  },
  {
    name: 'forgets-since-when',
    summary: 'taints of others lose the time since when they evict',
    file: 'src/objects/node.ts',
    replace: "...(timeAdded === '' ? {} : { timeAdded }),",
    by: "...(timeAdded === '' ? {} : {}),",
    scenario: 'owned-record',
    families: ['none'],
    caughtBy: 'I1 own only',
  },
  {
    name: 'deletes-the-node',
    summary: 'who cleans up after a node deletes the node of that name',
    file: 'src/runtime/act.ts',
    replace: 'return api.delete(clusterRef(nodeLifecycleType, name), { uid, resourceVersion });',
    by: 'return api.delete(clusterRef(nodeType, name), { uid, resourceVersion });',
    scenario: 're-creation',
    families: ['none'],
    caughtBy: 'I11 fail static',
  },
  {
    name: 'status-by-the-front-door',
    summary: 'a status is written with the whole object, which the role does not allow',
    file: 'src/runtime/act.ts',
    replace: "return api.patch(ref, { kind: 'merge', body }, { subresource: 'status' });",
    by: "return api.patch(ref, { kind: 'merge', body });",
    scenario: 'births',
    families: ['none'],
    caughtBy: 'I15 within its rights',
  },
  {
    name: 'deletes-in-silence',
    summary: 'deletions are not in the audit log',
    file: 'src/runtime/act.ts',
    replace: 'audit({ action, outcome, epoch }, log, writes);',
    by: "if (!action.kind.startsWith('Delete')) audit({ action, outcome, epoch }, log, writes);",
    scenario: 'readiness-relabelled',
    families: ['none'],
    caughtBy: 'I14 accountable',
  },
  {
    name: 'says-everything-twice',
    summary: 'each write has two lines in the audit log',
    file: 'src/runtime/act.ts',
    replace: 'audit({ action, outcome, epoch }, log, writes);',
    by: 'audit({ action, outcome, epoch }, log, writes); audit({ action, outcome, epoch }, log, writes);',
    scenario: 'births',
    families: ['none'],
    caughtBy: 'I14 accountable',
  },
];
