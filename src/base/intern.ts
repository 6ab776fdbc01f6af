// Shares equal values between objects that are held in their thousands.

export interface Intern {
  /** An equal string, the same one for all who ask. */
  text(value: string): string;
  /** What is read from this text, made once for all who have the same. */
  parsed<V extends object>(source: string, parse: () => V): V;
}

/** For those who hold a few: shares nothing. */
export const noSharing: Intern = { text: (value) => value, parsed: (_, parse) => parse() };
