// What a built-in kind looks like on the wire, as data: the types of its fields, which zero values are left out, and by
// which key its lists are merged. One table per kind serves decoding, printing, strategic merge and `kubectl explain`.

export type Shape =
  | {
      readonly kind:
        | 'text'
        | 'int'
        | 'flag'
        | 'time'
        | 'microTime'
        | 'quantity'
        | 'intOrText'
        | 'bytes'
        | 'any';
    }
  | { readonly kind: 'list'; readonly of: Shape; readonly merge: ListMerge }
  | { readonly kind: 'map'; readonly of: Shape }
  | { readonly kind: 'struct'; readonly fields: Fields };

export type ListMerge =
  | { readonly kind: 'atomic' }
  /** Scalars that are there once. */
  | { readonly kind: 'set' }
  | { readonly kind: 'byKey'; readonly key: string };

/** nonzero: left out when empty, 0 or false. present: kept as given. always: written even when nobody gave it. */
export type Field = { readonly shape: Shape; readonly emit: 'nonzero' | 'present' | 'always' };

export type Fields = Readonly<Record<string, Field>>;

export const text = nonzero({ kind: 'text' });
export const int = nonzero({ kind: 'int' });
export const flag = nonzero({ kind: 'flag' });
/** A time that is not set is written as null. */
export const time = always({ kind: 'time' });
export const microTime = always({ kind: 'microTime' });
export const quantities = map({ kind: 'quantity' });
export const texts = map({ kind: 'text' });
/** Fields that are kept as they came: parts of a kind that the server has no opinion on. */
export const open = present({ kind: 'any' });

export function pointer(field: Field): Field {
  return present(field.shape);
}

export function shown(field: Field): Field {
  return always(field.shape);
}

export function map(of: Shape): Field {
  return nonzero({ kind: 'map', of });
}

export function list(of: Field, key?: string): Field {
  const merge: ListMerge = key === undefined ? { kind: 'atomic' } : { kind: 'byKey', key };
  return nonzero({ kind: 'list', of: of.shape, merge });
}

export function setOf(of: Field): Field {
  return nonzero({ kind: 'list', of: of.shape, merge: { kind: 'set' } });
}

/** A struct that is part of its parent is always written, as `{}` if need be. */
export function struct(fields: Fields): Field {
  return always({ kind: 'struct', fields });
}

function nonzero(shape: Shape): Field {
  return { shape, emit: 'nonzero' };
}

function present(shape: Shape): Field {
  return { shape, emit: 'present' };
}

function always(shape: Shape): Field {
  return { shape, emit: 'always' };
}
