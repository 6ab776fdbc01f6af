import { describe, expect, it } from 'vitest';
import * as refs from './ref.ts';

const { nodeType, leaseType, podType } = refs;

describe('a resource type', () => {
  it.each([
    ['of the core group', nodeType, 'v1', 'nodes'],
    ['of another group', leaseType, 'coordination.k8s.io/v1', 'leases.coordination.k8s.io'],
  ])('%s has the apiVersion and the name that people use', (_, type, apiVersion, name) => {
    expect([refs.apiVersionOf(type), refs.resourceName(type)]).toEqual([apiVersion, name]);
  });

  it('is unlike every other', () => {
    const { nodeType, podType, leaseType, eventType, customResourceDefinitionType } = refs;
    const types = [nodeType, podType, leaseType, eventType, customResourceDefinitionType];
    expect(new Set(types.map(refs.resourceName)).size).toBe(types.length);
  });
});

describe('the key of an object', () => {
  it.each([
    ['is its name when it is cluster-scoped', '', 'a', 'a'],
    ['is its namespace and name otherwise', 'n', 'a', 'n/a'],
  ])('%s', (_, namespace, name, key) => {
    expect(refs.keyOf({ namespace, name })).toBe(key);
  });

  it('stands behind its kind for people', () => {
    expect(refs.formatRef({ type: podType, namespace: 'n', name: 'a' })).toBe('Pod n/a');
  });
});
