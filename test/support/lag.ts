// Watches of single kinds that lag behind: their events do not arrive.

import type { KubeApi } from '../../src/runtime/ports.ts';

export function createLag() {
  const held = new Set<string>();
  return {
    hold: (...kinds: readonly string[]) => kinds.forEach((kind) => void held.add(kind)),
    watch:
      (watch: KubeApi['watch']): KubeApi['watch'] =>
      (selection, start, listener) =>
        watch(selection, start, {
          opened: () => listener.opened(),
          event: (event) => void (held.has(selection.type.kind) || listener.event(event)),
          ended: (failure) => listener.ended(failure),
        }),
  };
}
