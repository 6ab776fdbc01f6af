// How a reporter reaches its condition on its Node. A patch of the status needs one right and no read. Rights that were made for
// kubernetes-sigs' reporter are to read the Node and to replace its status, so that is done where a patch is refused, and said in the log.

import type { Log } from '../../base/log.ts';
import { ok } from '../../base/result.ts';
import { fieldsOf, type RawObject, recordsIn } from '../../objects/raw.ts';
import { nodeType } from '../../objects/ref.ts';
import type { Answer, ApiFailure, KubeApi } from '../../runtime/ports.ts';
import { type Said, saidOn } from './condition.ts';
import type { ReporterConfig } from './options.ts';

/** A Node that is replaced has to be as it was read, and its kubelet writes too. As often as kubernetes-sigs' reporter tries. */
const REPLACEMENTS_MAX = 5;

export type OwnCondition = {
  /** What the Node says; finds out as well in which way it may be written. */
  look(signal: AbortSignal): Promise<Answer<Said | null>>;
  /** After a look that succeeded. Answers with what the Node says then. */
  say(said: Said, signal: AbortSignal): Promise<Answer<Said | null>>;
};

type Parts = {
  readonly api: KubeApi;
  readonly log: Log;
  readonly config: Pick<ReporterConfig, 'nodeName' | 'conditionType'>;
};

export function createOwnCondition({ api, log, config }: Parts): OwnCondition {
  const { nodeName, conditionType: type } = config;
  const ref = { type: nodeType, namespace: '', name: nodeName };
  const saidBy = (answer: Answer<RawObject>): Answer<Said | null> =>
    answer.kind === 'ok' ? ok(saidOn(answer.value, type)) : answer;
  let mayPatch = true;

  const patch = (body: object, signal: AbortSignal) =>
    api.patch(ref, { kind: 'strategic', body }, { subresource: 'status', signal });

  const replace = async (condition: Condition, signal: AbortSignal): Promise<Answer<RawObject>> => {
    for (let left = REPLACEMENTS_MAX; ; left--) {
      const read = await api.get(ref, { signal });
      if (read.kind === 'error') return read;
      const body = withCondition(read.value, condition);
      const written = await api.replace(ref, body, { subresource: 'status', signal });
      if (written.kind === 'ok' || written.error.reason !== 'Conflict' || left === 1) return written;
    }
  };

  return {
    async look(signal) {
      const patched = await patch({}, signal);
      mayPatch = patched.kind === 'ok' || patched.error.reason !== 'Forbidden';
      if (mayPatch) return saidBy(patched);
      const read = await api.get(ref, { signal });
      // Of two refusals the first one names the right that suffices.
      if (read.kind === 'error') return saidBy(patched);
      log.info('the status may not be patched; it is read and replaced instead', { node: nodeName });
      return saidBy(read);
    },
    async say(said, signal) {
      const condition = { type, ...said };
      const write = mayPatch
        ? patch({ status: { conditions: [condition] } }, signal)
        : replace(condition, signal);
      return saidBy(await write);
    },
  };
}

type Condition = Said & { readonly type: string };

function withCondition(node: RawObject, condition: Condition): RawObject {
  const status = fieldsOf(node.status);
  const before = recordsIn(status['conditions']);
  const index = before.findIndex((each) => each['type'] === condition.type);
  const conditions = index === -1 ? [...before, condition] : before.with(index, condition);
  return { ...node, status: { ...status, conditions } };
}

/** What an account that is refused needs; nothing of a failure that no right would have prevented. */
export function rightsFor(
  { reason }: ApiFailure,
  { isImpersonating }: Pick<ReporterConfig, 'isImpersonating'>,
): { readonly needs?: string } {
  if (reason !== 'Forbidden') return {};
  if (!isImpersonating) return { needs: 'patch on nodes/status' };
  return {
    needs:
      'impersonate:associated-node on nodes of authentication.k8s.io, impersonate-on:associated-node:patch on nodes/status, a token ' +
      'of a pod on the node, and an API server that constrains impersonation, as it does from Kubernetes 1.36 on',
  };
}
