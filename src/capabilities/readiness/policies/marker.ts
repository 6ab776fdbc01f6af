// The marker that says that a rule of mode bootstrap-only is done with a node. Two forms of the key are read, ours and the
// one before it; with `perBoot` the marker is good for one boot only. Pure.

import { isRecord, ownValue, textOf } from '../../../objects/raw.ts';
import type { NodeView } from '../../../objects/node.ts';
import { markerKeysOf, type Rule, type RuleView } from '../../../fleet/readiness-rule.ts';

export type Marker = {
  readonly key: string;
  /** What it should say once the rule is done with the node. */
  readonly value: string;
  readonly isComplete: boolean;
  /** It counts, and it does not say yet for which boot. */
  readonly lacksBoot: boolean;
  /** It is there and speaks of an earlier boot. */
  readonly isStale: boolean;
};

type Named = Pick<RuleView, 'uid' | 'name'>;

export function markerOf(
  view: Named,
  { mode, isPerBoot }: Pick<Rule, 'mode' | 'isPerBoot'>,
  node: NodeView,
): Marker {
  const [key, formerKey] = markerKeysOf(view);
  const value = valueFor(view.name, isPerBoot ? node.bootID : '');
  const found = ownValue(node.annotations, key) ?? ownValue(node.annotations, formerKey);
  if (mode !== 'bootstrap-only' || found === undefined)
    return { key, value, isComplete: false, lacksBoot: false, isStale: false };
  const bootID = bootOf(found);
  const lacksBoot = isPerBoot && bootID === '' && node.bootID !== '';
  const isStale = isPerBoot && bootID !== '' && bootID !== node.bootID;
  return { key, value, isComplete: !isStale, lacksBoot, isStale };
}

function valueFor(ruleName: string, bootID: string): string {
  return JSON.stringify({ 'rule-name': ruleName, ...(bootID === '' ? {} : { 'boot-id': bootID }) });
}

/** Empty where the marker speaks of no boot: those of other controllers, and those from before `perBoot` was switched on. */
export function bootOf(text: string): string {
  try {
    const parsed: unknown = JSON.parse(text);
    return isRecord(parsed) ? textOf(parsed['boot-id']) : '';
  } catch {
    return '';
  }
}
