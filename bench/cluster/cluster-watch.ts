// A watch of the bench's own beside that of the operator: what the cluster shows to whoever looks. Never writes.

import { systemClock } from '../../src/base/clock.ts';
import { silentLog } from '../../src/base/log.ts';
import { silentMetrics } from '../../src/base/metrics.ts';
import { systemRandom } from '../../src/base/random.ts';
import { createCaches, type WatchedCaches } from '../../src/kube/caches.ts';
import type { KubeApi, WatchSpec } from '../../src/runtime/ports.ts';
import { until } from '../../test/control-plane/until.ts';

const SYNC_MS_MAX = 120_000;

export class ClusterWatch {
  protected readonly sources: WatchedCaches;

  constructor(api: KubeApi, specs: readonly WatchSpec[]) {
    this.sources = createCaches({
      api,
      specs,
      clock: systemClock,
      random: systemRandom,
      log: silentLog,
      metrics: silentMetrics,
    });
  }

  /** Resolves when everything that is there has been seen. */
  async start(): Promise<void> {
    this.sources.start();
    await until('the bench sees the cluster', SYNC_MS_MAX, () =>
      this.sources.unsynced().length === 0 ? true : undefined,
    );
  }

  stop(): void {
    this.sources.stop();
  }
}
