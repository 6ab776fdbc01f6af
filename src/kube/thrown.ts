// What a caught value says. For the edges where Node and libraries throw; our own code returns results.

export function thrownMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The code of a system error, such as ENOENT; empty for anything else. */
export function thrownCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
