import { describe, expect, it } from 'vitest';
import { pastStateOf } from './past-state.ts';

const watchUrl =
  '/api/v1/nodes?labelSelector=a%3Db&watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&timeoutSeconds=300';

describe('a watch from a past state', () => {
  it('begins with the objects of then, each with its kind, and goes on from there', async () => {
    const asked: string[] = [];
    const { lines, followUrl } = await pastStateOf(watchUrl, 3, (url) => {
      asked.push(url);
      const items = [{ metadata: { name: 'a', resourceVersion: '5' } }];
      return Promise.resolve({
        kind: 'NodeList',
        apiVersion: 'v1',
        metadata: { resourceVersion: '10' },
        items,
      });
    });
    expect(asked).toEqual([
      '/api/v1/nodes?labelSelector=a%3Db&limit=1',
      '/api/v1/nodes?labelSelector=a%3Db&resourceVersion=7&resourceVersionMatch=Exact',
    ]);
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      {
        type: 'ADDED',
        object: { kind: 'Node', apiVersion: 'v1', metadata: { name: 'a', resourceVersion: '5' } },
      },
      {
        type: 'BOOKMARK',
        object: {
          kind: 'Node',
          apiVersion: 'v1',
          metadata: { resourceVersion: '7', annotations: { 'k8s.io/initial-events-end': 'true' } },
        },
      },
    ]);
    expect(followUrl).toBe(
      '/api/v1/nodes?labelSelector=a%3Db&watch=true&allowWatchBookmarks=true&timeoutSeconds=300&resourceVersion=7',
    );
  });
});
