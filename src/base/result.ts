// Expected outcomes are values. A Result is for what a caller must handle; a thrown error is for what only
// the loop may catch.

export type Ok<T> = { readonly kind: 'ok'; readonly value: T };
export type Err<E> = { readonly kind: 'error'; readonly error: E };
export type Result<T, E> = Ok<T> | Err<E>;

export function ok<T>(value: T): Ok<T> {
  return { kind: 'ok', value };
}

export function err<E>(error: E): Err<E> {
  return { kind: 'error', error };
}

/** One thing wrong with untrusted input, with the path of the field that is wrong. */
export type Problem = { readonly path: string; readonly message: string };

export function formatProblem(problem: Problem): string {
  return problem.path === '' ? problem.message : `${problem.path}: ${problem.message}`;
}
