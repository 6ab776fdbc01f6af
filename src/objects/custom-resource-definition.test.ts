import { describe, expect, it } from 'vitest';
import { projectCustomResourceDefinition } from './custom-resource-definition.ts';

describe('what is kept of a CustomResourceDefinition', () => {
  it('is whether it is established, and its served and stored versions', () => {
    const raw = {
      metadata: { name: 'things.example.com' },
      spec: {
        versions: [
          { name: 'v1', served: true },
          { name: 'v0', served: false },
        ],
      },
      status: { conditions: [{ type: 'Established', status: 'True' }], storedVersions: ['v0', 'v1', 7] },
    };
    expect(projectCustomResourceDefinition(raw)).toMatchObject({
      name: 'things.example.com',
      isEstablished: true,
      servedVersions: ['v1'],
      storedVersions: ['v0', 'v1'],
    });
  });

  it('is not established before the server says so', () => {
    expect(projectCustomResourceDefinition({}).isEstablished).toBe(false);
  });
});
