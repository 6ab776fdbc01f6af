// An evaluation as a row of whole numbers. With ten rules and ten thousand nodes there are a hundred thousand, each of which as a line
// of text under its name would cost three times as much. What does not fit into a row is not forced: the caller holds it as it is.

import { fronts } from '../../fleet/readiness-rule.ts';
import { type EvaluationView, plainName } from './evaluation.ts';
import type { HeldNames } from './held-names.ts';

/** Which cell of a row holds what; the hexadecimal texts take one for eight of their digits. */
const at = { uid: 0, version: 4, specHash: 6, statusHash: 8, rule: 10, node: 11, rest: 12 } as const;
export const CELLS = 13;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const HASH = /^[0-9a-f]{16}$/;
const HALF = 2 ** 32;
const TRACKED = 4;
/** In the place of the number of a front. */
const NO_FRONT = 3;

/** Whether unpacking gives back what was packed. */
export function isPackable(view: EvaluationView): boolean {
  const { name, namespace, uid, resourceVersion, specHash, statusHash } = view;
  const version = Number(resourceVersion);
  return (
    name === plainName(view) &&
    namespace === '' &&
    UUID.test(uid) &&
    Number.isSafeInteger(version) &&
    version >= 0 &&
    String(version) === resourceVersion &&
    HASH.test(specHash) &&
    HASH.test(statusHash)
  );
}

/** Holds both names until the row is released. */
export function pack(view: EvaluationView, cells: Uint32Array, names: HeldNames): void {
  const version = Number(view.resourceVersion);
  const front = view.front === null ? NO_FRONT : fronts.indexOf(view.front);
  writeHex(view.uid.replaceAll('-', ''), cells, at.uid);
  cells[at.version] = Math.floor(version / HALF);
  cells[at.version + 1] = version % HALF;
  writeHex(view.specHash, cells, at.specHash);
  writeHex(view.statusHash, cells, at.statusHash);
  cells[at.rule] = names.hold(view.ruleName);
  cells[at.node] = names.hold(view.nodeName);
  cells[at.rest] = front | (view.isTracked ? TRACKED : 0);
}

export function unpack(cells: Uint32Array, names: HeldNames): EvaluationView {
  const cell = (index: number) => cells[index] ?? 0;
  const uid = readHex(cells, at.uid, 4);
  const named = namesIn(cells, names);
  return {
    name: plainName(named),
    namespace: '',
    uid: `${uid.slice(0, 8)}-${uid.slice(8, 12)}-${uid.slice(12, 16)}-${uid.slice(16, 20)}-${uid.slice(20)}`,
    resourceVersion: String(cell(at.version) * HALF + cell(at.version + 1)),
    front: fronts[cell(at.rest) & NO_FRONT] ?? null,
    ...named,
    specHash: readHex(cells, at.specHash, 2),
    statusHash: readHex(cells, at.statusHash, 2),
    isTracked: (cell(at.rest) & TRACKED) !== 0,
  };
}

export function release(cells: Uint32Array, names: HeldNames): void {
  names.release(cells[at.rule] ?? 0);
  names.release(cells[at.node] ?? 0);
}

export function namesIn(cells: Uint32Array, names: HeldNames): Pick<EvaluationView, 'ruleName' | 'nodeName'> {
  return { ruleName: names.textOf(cells[at.rule] ?? 0), nodeName: names.textOf(cells[at.node] ?? 0) };
}

function writeHex(digits: string, cells: Uint32Array, from: number): void {
  for (let index = 0; 8 * index < digits.length; index++)
    cells[from + index] = Number.parseInt(digits.slice(8 * index, 8 * (index + 1)), 16);
}

function readHex(cells: Uint32Array, from: number, length: number): string {
  let digits = '';
  for (let index = from; index < from + length; index++)
    digits += (cells[index] ?? 0).toString(16).padStart(8, '0');
  return digits;
}
