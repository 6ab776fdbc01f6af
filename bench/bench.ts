// The shape of a bench. It owns its flags, its words and its budgets; the entry only chooses one and hands the flags over.

export type Flag = { readonly type: 'boolean' | 'string'; readonly help: string };

/** As given on the command line; a flag that was not given is not there. */
export type FlagValues = Readonly<Record<string, string | boolean | undefined>>;

export type Bench = {
  readonly name: string;
  /** What it measures, in a few words. */
  readonly summary: string;
  readonly flags: Readonly<Record<string, Flag>>;
  /** Resolves with one sentence for each budget that is not met. Throws UsageError for a flag with a bad value. */
  readonly run: (values: FlagValues) => Promise<readonly string[]>;
};

/** A mistake of whoever typed the command: one sentence, exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
