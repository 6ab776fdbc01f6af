// What a step of verification decides on, with nothing in it but what a test says.

import { defaultPolicy } from '../../src/capabilities/verification/policy.ts';
import type { RecordedScene } from '../../src/capabilities/verification/scene.ts';
import { nodeView } from './node-builder.ts';

export function recordedScene(change: Partial<RecordedScene> & Pick<RecordedScene, 'record'>): RecordedScene {
  return {
    node: nodeView(),
    policy: defaultPolicy({}),
    isPolicyUnknown: false,
    planned: [],
    custom: [],
    requiredMarks: [],
    questions: [],
    lifecycle: undefined,
    workers: [],
    refusalOf: () => '',
    controls: [],
    controlHosts: () => 0,
    controlRefusal: '',
    controlNames: [],
    answer: undefined,
    owned: [],
    claimedTaints: [],
    service: 'new',
    now: 0,
    ...change,
  };
}
