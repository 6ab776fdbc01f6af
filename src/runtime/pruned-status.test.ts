import { describe, expect, it } from 'vitest';
import { silentLog } from '../base/log.ts';
import { nodeType } from '../objects/ref.ts';
import { createPruned } from './pruned-status.ts';

const shown = (status: unknown) => ({
  ref: { type: nodeType, namespace: '', name: 'a' },
  uid: 'uid-1',
  resourceVersion: '1',
  status,
});

describe('a status that the server cuts short', () => {
  it('is no reason to write again what it drops', () => {
    const pruned = createPruned('status', silentLog);
    pruned.note(shown({ kept: 1 }), { kept: 1, dropped: 1 });
    expect(pruned.differs(shown({ kept: 1 }), { kept: 1, dropped: 2 })).toBe(false);
  });

  it('is a reason to write what it keeps', () => {
    const pruned = createPruned('status', silentLog);
    pruned.note(shown({ kept: 1 }), { kept: 1, dropped: 1 });
    expect(pruned.differs(shown({ kept: 1 }), { kept: 2, dropped: 1 })).toBe(true);
  });

  it('is whole again when the server keeps it', () => {
    const pruned = createPruned('status', silentLog);
    pruned.note(shown({ kept: 1 }), { kept: 1, dropped: 1 });
    pruned.note(shown({ kept: 1, dropped: 1 }), { kept: 1, dropped: 1 });
    expect(pruned.differs(shown({ kept: 1, dropped: 1 }), { kept: 1, dropped: 2 })).toBe(true);
  });

  it('is forgotten with its object', () => {
    const pruned = createPruned('status', silentLog);
    pruned.note(shown({}), { dropped: 1 });
    pruned.forget('uid-1');
    expect(pruned.differs(shown({}), { dropped: 1 })).toBe(true);
  });
});
