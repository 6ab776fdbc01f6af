// A control plane with our definitions and rights installed, and short words for what tests do to its objects.

import { join } from 'node:path';
import { kinds } from '../../src/api/kinds.ts';
import { apiVersionOf, type ResourceType, resourceName } from '../../src/objects/ref.ts';
import { type ControlPlane, startControlPlane } from '../control-plane/control-plane.ts';

export const root = join(import.meta.dirname, '../..');

export type InstalledCluster = ControlPlane & {
  readonly create: (object: object) => Promise<string>;
  readonly apply: (object: object, ...flags: readonly string[]) => Promise<string>;
  /** A merge patch of `kind/name`. */
  readonly patch: (object: string, body: object, ...flags: readonly string[]) => Promise<string>;
};

export async function startInstalledCluster(): Promise<InstalledCluster> {
  const plane = await startControlPlane({ log: (line) => process.stderr.write(`${line}\n`) });
  const { kubectl } = plane;
  const send = (verb: string, object: object, flags: readonly string[]) =>
    kubectl([verb, ...flags, '-f', '-'], { input: JSON.stringify(object) });
  try {
    await kubectl(['apply', '-f', join(root, 'config/crds')]);
    const names = kinds.map(({ type }) => `crd/${resourceName(type)}`);
    await kubectl(['wait', '--for=condition=Established', '--timeout=30s', ...names]);
    await kubectl(['apply', '-f', join(root, 'config/rbac')]);
  } catch (error) {
    await plane.stop();
    throw error;
  }
  return {
    ...plane,
    create: (object) => send('create', object, []),
    apply: (object, ...flags) => send('apply', object, flags),
    patch: (object, body, ...flags) =>
      kubectl(['patch', object, '--type=merge', '-p', JSON.stringify(body), ...flags]),
  };
}

/** The beginning of an object of one of our kinds. */
export function headOf(type: ResourceType, name: string) {
  return { apiVersion: apiVersionOf(type), kind: type.kind, metadata: { name } };
}
