// One simulated kubelet: its boot, what it believes of its own conditions, and the two rhythms of a real one. The Lease goes
// out every 10 s, the status every 5 minutes unless something changed. Decides nothing about what happens to it.

import type { Instant } from '../base/clock.ts';
import type { Random } from '../base/random.ts';
import { formatMicroTime } from '../base/timestamp.ts';
import { fieldsOf, type RawObject, textOf } from '../objects/raw.ts';
import { leaseType, nodeType, type ObjectRef } from '../objects/ref.ts';
import type { PlannedNode } from './fleet-plan.ts';
import {
  type Boot,
  conditionList,
  drawUuid,
  healthyConditions,
  leaseBody,
  machineStatus,
  type NodeCondition,
  nodeBody,
  nodeLeaseNamespace,
} from './node-shape.ts';
import type { NodePhase, StageCondition } from './stage.ts';
import type { WorldAnswer, WorldApi } from './world-api.ts';

export const LEASE_MS = 10_000;
const STATUS_MS = 300_000;

export class Kubelet {
  readonly planned: PlannedNode;
  phase: NodePhase = 'Absent';
  isRunning = false;
  /** Of the Node object it speaks for; empty while there is none. */
  uid = '';
  readonly #random: Random;
  readonly #conditions = new Map<string, NodeCondition>();
  #boot: Boot;
  #statusAt: Instant | null = null;
  /** As it was last written; null when it has to be looked for. */
  #lease: RawObject | null = null;
  #isRenewing = false;

  constructor(planned: PlannedNode, random: Random) {
    this.planned = planned;
    this.#random = random;
    this.#boot = { bootID: drawUuid(random), machineID: drawUuid(random).replaceAll('-', '') };
  }

  get ref(): ObjectRef {
    return { type: nodeType, namespace: '', name: this.planned.name };
  }

  /** A new boot of the same machine: the same memory of itself would be a lie. */
  boot(): void {
    this.#boot = { ...this.#boot, bootID: drawUuid(this.#random) };
    this.#statusAt = null;
  }

  /** Another machine under the same name. */
  replaceMachine(): void {
    this.#boot = { bootID: '', machineID: drawUuid(this.#random).replaceAll('-', '') };
    this.#conditions.clear();
    this.boot();
  }

  note(conditions: readonly StageCondition[], now: Instant): void {
    const known = healthyConditions.filter(({ type }) => !this.#conditions.has(type));
    for (const condition of [...known, ...conditions]) {
      const before = this.#conditions.get(condition.type);
      const since = before?.status === condition.status ? before.since : now;
      this.#conditions.set(condition.type, { ...condition, since });
    }
  }

  register(api: WorldApi, now: Instant): Promise<WorldAnswer> {
    this.#statusAt = now;
    const status = {
      ...machineStatus(this.planned, this.#boot),
      conditions: conditionList(this.#conditions.values(), now),
    };
    return api.create(this.ref, nodeBody(this.planned, this.#boot, status));
  }

  /** Only the kubelet's own conditions go out: others keep theirs. */
  reportStatus(api: WorldApi, now: Instant): Promise<WorldAnswer> {
    const isFirst = this.#statusAt === null;
    this.#statusAt = now;
    const conditions = conditionList(this.#conditions.values(), now);
    const status = { ...(isFirst ? machineStatus(this.planned, this.#boot) : {}), conditions };
    // The uid keeps a late report from landing on another Node of the same name.
    const body = { metadata: { uid: this.uid }, status };
    return api.patch(this.ref, { kind: 'strategic', body }, { subresource: 'status' });
  }

  isStatusDue(now: Instant): boolean {
    return this.#statusAt === null || now - this.#statusAt >= STATUS_MS;
  }

  /**
   * As a real one does: one renewal after the other, each the Lease of the last time with a new time, looked for only when that is
   * refused. Null: the last one is still under way.
   */
  async renewLease(api: WorldApi, now: Instant): Promise<WorldAnswer | null> {
    if (this.#isRenewing) return null;
    this.#isRenewing = true;
    return this.#renewNow(api, now).finally(() => (this.#isRenewing = false));
  }

  async #renewNow(api: WorldApi, now: Instant): Promise<WorldAnswer> {
    const renewed = this.#lease === null ? null : await this.#putLease(api, this.#lease, now);
    const isOutdated = renewed?.kind === 'error' && ['NotFound', 'Conflict'].includes(renewed.error.reason);
    const answer = renewed === null || isOutdated ? await this.#findLease(api, now) : renewed;
    this.#lease = answer.kind === 'ok' ? answer.value : null;
    return answer;
  }

  get #leaseRef(): ObjectRef {
    return { type: leaseType, namespace: nodeLeaseNamespace, name: this.planned.name };
  }

  #putLease(api: WorldApi, lease: RawObject, now: Instant): Promise<WorldAnswer> {
    const spec = { ...fieldsOf(lease['spec']), renewTime: formatMicroTime(now) };
    return api.replace(this.#leaseRef, { ...lease, spec });
  }

  async #findLease(api: WorldApi, now: Instant): Promise<WorldAnswer> {
    const found = await api.get(this.#leaseRef);
    if (found.kind === 'ok') return this.#putLease(api, found.value, now);
    if (found.error.reason !== 'NotFound') return found;
    return api.create(this.#leaseRef, leaseBody({ name: this.planned.name, uid: this.uid }, now));
  }

  /** Speaks for a Node that an earlier run left behind. */
  adopt(object: RawObject): void {
    const status = fieldsOf(object.status);
    const { bootID, machineID } = fieldsOf(status['nodeInfo']);
    this.uid = object.metadata?.uid ?? '';
    this.#boot = {
      bootID: textOf(bootID) || this.#boot.bootID,
      machineID: textOf(machineID) || this.#boot.machineID,
    };
    this.#statusAt = null;
  }
}
