// How an evaluation is held: as one line of text, because with ten rules and ten thousand nodes there are a hundred thousand, and
// the object with its strings would cost three times as much.

import type { Packing } from '../../runtime/ports.ts';
import { fronts } from '../../fleet/readiness-rule.ts';
import { type EvaluationView, plainName } from './evaluation.ts';

export const evaluationPacking: Packing<EvaluationView> = {
  pack(view) {
    const { uid, resourceVersion, front, specHash, statusHash, isTracked } = view;
    const letter = front === null ? '-' : String(fronts.indexOf(front));
    const mark = isTracked ? 't' : '-';
    return [uid, resourceVersion, letter, specHash, statusHash, mark, packNames(view)].join(' ');
  },
  unpack(name, packed) {
    const [uid = '', resourceVersion = '', letter = '', specHash = '', statusHash = '', mark, ...names] =
      packed.split(' ');
    const front = fronts[Number(letter)] ?? null;
    const own = { name, namespace: '', uid, resourceVersion };
    return {
      ...own,
      front,
      ...unpackNames(name, names.join(' ')),
      specHash,
      statusHash,
      isTracked: mark === 't',
    };
  },
};

type Names = Pick<EvaluationView, 'ruleName' | 'nodeName'>;

/** Mostly the name of the evaluation is both, and it is enough to know where to cut it. */
function packNames({ name, ruleName, nodeName }: EvaluationView): string {
  const names = { ruleName, nodeName };
  return name === plainName(names) ? String(ruleName.length) : JSON.stringify(names);
}

function unpackNames(name: string, packed: string): Names {
  const cutAt = Number(packed);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by packNames
  if (Number.isNaN(cutAt)) return JSON.parse(packed) as Names;
  return { ruleName: name.slice(0, cutAt), nodeName: name.slice(cutAt + 1) };
}
