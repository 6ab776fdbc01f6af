import { describe, expect, it } from 'vitest';
import { nodeView } from '../../../../test/support/node-builder.ts';
import { ruleView } from '../../../../test/support/rule-builder.ts';
import { markerOf } from './marker.ts';

const byUID = 'readiness.k8s.io/bootstrap-completed-uid-of-cni';
const byName = 'readiness.k8s.io/bootstrap-completed-cni';
const written = '{"rule-name":"cni"}';
const boot = (id: string) => `{"rule-name":"cni","boot-id":"${id}"}`;

function look(annotations: Readonly<Record<string, string>>, spec: object = {}) {
  const view = ruleView({ spec: { enforcementMode: 'bootstrap-only', ...spec } });
  if (view.rule === null) throw new Error('the rule is good');
  return markerOf(view, view.rule, nodeView({ annotations, bootID: 'boot-2' }));
}

const perBoot = { bootstrap: { perBoot: true } };

describe('a bootstrap marker', () => {
  it.each<[string, Readonly<Record<string, string>>, object, boolean, boolean]>([
    ['is read by the UID of the rule', { [byUID]: written }, {}, true, false],
    ['is read by its name, as it was written before', { [byName]: 'true' }, {}, true, false],
    ['is none when absent', {}, {}, false, false],
    ['is none in mode continuous', { [byUID]: written }, { enforcementMode: 'continuous' }, false, false],
    ['is good for its boot alone when asked to', { [byUID]: boot('boot-2') }, perBoot, true, false],
    ['is used up by a reboot when asked to', { [byUID]: boot('boot-1') }, perBoot, false, false],
    ['outlives a reboot otherwise', { [byUID]: boot('boot-1') }, {}, true, false],
    ['of no boot counts and is to say which', { [byUID]: written }, perBoot, true, true],
    ['that cannot be parsed counts', { [byUID]: '{' }, {}, true, false],
  ])('%s', (_, annotations, spec, isComplete, lacksBoot) => {
    expect(look(annotations, spec)).toMatchObject({ key: byUID, isComplete, lacksBoot });
  });

  it('is written in the form that other controllers read, with the boot where it matters', () => {
    expect([look({}).value, look({}, perBoot).value]).toEqual([written, boot('boot-2')]);
  });
});
