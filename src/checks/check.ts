// A check: its name, what it proves, its parameters and how it runs. One file per check; list.ts is the list of them all.

import { err, ok, type Problem, type Result } from '../base/result.ts';
import type { Outcome } from './outcome.ts';
import { type ParamList, type ParamValues, readParams } from './params.ts';
import type { TargetRules } from './targets.ts';
import type { CheckContext } from './world.ts';

export type CheckSpec<P extends ParamList> = {
  readonly name: string;
  readonly summary: string;
  readonly params: P;
  /** Runs once and returns soon after the signal aborts. Never retries: the runner does. */
  run(params: ParamValues<P>, context: CheckContext): Promise<Outcome>;
};

export type RunCheck = (context: CheckContext) => Promise<Outcome>;

/** A check with its parameters' types sealed in, so that checks of all kinds fit one list. */
export type Check = {
  readonly name: string;
  readonly summary: string;
  readonly params: ParamList;
  /** Reads untrusted parameters into a run, or says everything that is wrong with them. */
  prepare(raw: unknown, at: PrepareContext): Result<RunCheck, readonly Problem[]>;
};

export type PrepareContext = { readonly path: string; readonly targets: TargetRules };

export function defineCheck<const P extends ParamList>(spec: CheckSpec<P>): Check {
  const { name, summary, params } = spec;
  return {
    name,
    summary,
    params,
    prepare(raw, at) {
      const values = readParams(params, raw, at);
      if (values.kind === 'error') return err(values.error);
      return ok((context) => spec.run(values.value, context));
    },
  };
}
