// The simple JSON paths of printer columns and selectable fields: `.spec.color`, `.status.conditions[?(@.type=="Ready")].status`.
// What it does not understand selects nothing.

import { isRecord } from '../../objects/raw.ts';

export function valuesAt(value: unknown, path: string): readonly unknown[] {
  const steps = stepsOf(path);
  if (steps === null) return [];
  return steps.reduce<readonly unknown[]>(
    (values, step) => values.flatMap((each) => taken(each, step)),
    [value],
  );
}

type Step =
  | { readonly kind: 'field'; readonly name: string }
  | { readonly kind: 'index'; readonly index: number }
  | { readonly kind: 'all' }
  | { readonly kind: 'where'; readonly field: string; readonly value: string };

const STEP =
  /\.((?:[-\w$/]|\\\.)+)|\[['"]([^'"]+)['"]\]|\.?\[(-?\d+)\]|\[(\*)\]|\[\?\(\s*@\.([\w.-]+)\s*==\s*['"]([^'"]*)['"]\s*\)\]/gy;

function stepsOf(path: string): readonly Step[] | null {
  const text = path.replace(/^\$/, '');
  const steps: Step[] = [];
  let end = 0;
  for (const match of text.matchAll(STEP)) {
    end = match.index + match[0].length;
    steps.push(stepOf(match));
  }
  return end === text.length ? steps : null;
}

function stepOf([, name, quoted, index, all, field, value]: RegExpMatchArray): Step {
  if (index !== undefined) return { kind: 'index', index: Number(index) };
  if (all !== undefined) return { kind: 'all' };
  if (field !== undefined) return { kind: 'where', field, value: value ?? '' };
  return { kind: 'field', name: name?.replaceAll('\\.', '.') ?? quoted ?? '' };
}

function taken(value: unknown, step: Step): readonly unknown[] {
  switch (step.kind) {
    case 'field': {
      const found = isRecord(value) && Object.hasOwn(value, step.name) ? value[step.name] : undefined;
      return found === undefined ? [] : [found];
    }
    case 'index':
      return Array.isArray(value) && value.at(step.index) !== undefined ? [value.at(step.index)] : [];
    case 'all':
      return Array.isArray(value) ? value : isRecord(value) ? Object.values(value) : [];
    case 'where':
      return Array.isArray(value)
        ? value.filter((item) =>
            valuesAt(item, `.${step.field}`).some((found) => String(found) === step.value),
          )
        : [];
  }
}
