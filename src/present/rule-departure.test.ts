import { expect, it } from 'vitest';
import { type DepartureFacts, departureBlocks } from './rule-departure.ts';
import { formatStory } from './story.ts';

it.each<[string, DepartureFacts, string]>([
  [
    'the first nodes that still carry its taint',
    { carriers: ['a', 'b', 'c', 'd', 'e', 'f', 'g'], isObserving: false, told: '' },
    '7 nodes still carry its taint: a, b, c, d, e and 2 more. A running operator takes away what is its own',
  ],
  [
    'the policy that lets nobody take it away',
    { carriers: ['a'], isObserving: true, told: '' },
    '1 node still carries its taint: a. The authority of the policy is to observe',
  ],
  [
    'that no node carries it any more',
    { carriers: [], isObserving: false, told: '' },
    'No node carries its taint any more. A running operator',
  ],
  [
    'what the operator says of it',
    { carriers: [], isObserving: false, told: 'nothing of it is left here; it waits for x.io/wait' },
    'The operator says: nothing of it is left here; it waits for x.io/wait.',
  ],
  [
    'nothing of nodes that cannot be seen',
    { carriers: null, isObserving: false, told: '' },
    'State A running operator',
  ],
])('a rule that is being deleted names %s', (_, departure, words) => {
  const story = { answer: '', sections: [{ title: 'State', blocks: departureBlocks(departure) }] };
  const said = formatStory(story, { columns: 80, hasColour: false }).join(' ');
  expect(said.replaceAll(/\s+/g, ' ')).toContain(words);
});
