// I2: every write that could meet another incarnation or a newer state says which one it means: UID and resourceVersion on
// patches and deletions, resourceVersion on replacements. Events alone are written without: their names follow from their content.

import { callWords, isWriteCall, type Oracle, resources, at } from './oracle.ts';

export const rightIncarnation: Oracle = {
  name: 'I2 right incarnation',
  judge: (run) =>
    run.calls
      .filter((call) => isWriteCall(call) && call.verb !== 'create' && call.resource !== resources.events)
      .flatMap((call) => {
        const guards = call.verb === 'delete' ? call.options : at(call.body, 'metadata');
        const lacks = ['uid', 'resourceVersion'].filter((guard) => !at(guards, guard));
        return lacks.map((guard) => `${callWords(call)} is sent without a ${guard}`);
      }),
};
