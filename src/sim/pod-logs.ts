// What the containers of simulated pods wrote, the last part of it. Kept in memory and bounded; gone with the pod.

/** Where the lines of a container go, and where whoever serves `kubectl logs` finds them. */
export interface PodLogs {
  append(container: ContainerName, text: string): void;
  /** Everything that is kept, or null when there is no such container. */
  read(container: ContainerName): string | null;
  forget(pod: { readonly namespace: string; readonly pod: string }): void;
}

export type ContainerName = { readonly namespace: string; readonly pod: string; readonly container: string };

const CHARACTERS_MAX = 256 * 1024;

export function createPodLogs(): PodLogs {
  const texts = new Map<string, string>();
  const prefixOf = ({ namespace, pod }: { namespace: string; pod: string }) => `${namespace}/${pod}/`;
  const keyOf = (name: ContainerName) => `${prefixOf(name)}${name.container}`;
  return {
    append(name, text) {
      const whole = `${texts.get(keyOf(name)) ?? ''}${text}`;
      texts.set(keyOf(name), whole.length <= CHARACTERS_MAX ? whole : whole.slice(-CHARACTERS_MAX));
    },
    read: (name) => texts.get(keyOf(name)) ?? null,
    forget(pod) {
      for (const key of texts.keys()) if (key.startsWith(prefixOf(pod))) texts.delete(key);
    },
  };
}
