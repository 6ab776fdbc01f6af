// What the commands for people share: how one is declared, how its words are read, and how it reaches the cluster with the
// user's own rights. They only ever read.

import { err, formatProblem, ok, type Problem, type Result } from '../../base/result.ts';
import type { Clock } from '../../base/clock.ts';
import { printable } from '../../present/printable.ts';
import type { Look } from '../../present/table.ts';
import type { ConnectedKubeApi } from '../../kube/connect.ts';
import type { KubeApi } from '../../runtime/ports.ts';
import { formatOptions, type OptionList, readCommandLine, readValues, type ValuesOf } from '../options.ts';
import { connectionOptions } from '../process-options.ts';

export const viewExitCodes = { fine: 0, failure: 1, usage: 2, attention: 3 } as const;

export type ConnectionFlags = ValuesOf<typeof connectionOptions>;

/** What a command has of the world. */
export type ViewWorld = {
  readonly clock: Pick<Clock, 'now'>;
  readonly look: Look;
  print(line: string): void;
  /** To where complaints go, so that what is printed can be piped. */
  complain(line: string): void;
  connect(flags: ConnectionFlags): Promise<Result<ConnectedKubeApi, readonly Problem[]>>;
};

export type Looking<L extends OptionList> = {
  readonly api: KubeApi;
  readonly world: ViewWorld;
  readonly values: ValuesOf<L>;
  /** As many as the command declares. */
  readonly words: readonly string[];
};

/** An exit code, or why nothing can be shown. */
export type Shown = Result<number, readonly Complaint[]>;
export type Complaint = Problem & { readonly code: number };

export type ViewCommand<L extends OptionList = OptionList> = {
  readonly name: string;
  /** The words that come after its name, as help shows them. */
  readonly words: readonly string[];
  readonly summary: string;
  readonly details: readonly string[];
  readonly options: L;
  readonly exitCodes: string;
  /** What is wrong with the words, before anything is asked of a cluster. */
  checkWords?(words: readonly string[]): readonly Problem[];
  run(looking: Looking<L>): Promise<Shown>;
};

export async function runView<L extends OptionList>(
  command: ViewCommand<L>,
  args: readonly string[],
  world: ViewWorld,
): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    world.print(viewHelp(command));
    return viewExitCodes.fine;
  }
  const refuse = (complaints: readonly Problem[], code: number) => {
    for (const problem of complaints)
      world.complain(printable(`muster ${command.name}: ${formatProblem(problem)}`));
    return code;
  };
  const line = readWords(command, args);
  if (line.kind === 'error') return refuse(line.error, viewExitCodes.usage);
  const { values, words, connection } = line.value;
  const connected = await world.connect(connection);
  if (connected.kind === 'error') return refuse(connected.error, viewExitCodes.usage);
  try {
    const shown = await command.run({ api: connected.value.api, world, values, words });
    if (shown.kind === 'ok') return shown.value;
    return refuse(shown.error, Math.max(...shown.error.map(({ code }) => code)));
  } finally {
    connected.value.close();
  }
}

type Line<L extends OptionList> = {
  readonly values: ValuesOf<L>;
  readonly words: readonly string[];
  readonly connection: ConnectionFlags;
};

/** Its own options, and those that lead to the cluster. */
export function allOptions({ options }: Pick<ViewCommand, 'options'>): OptionList {
  return { ...options, ...connectionOptions };
}

function readWords<L extends OptionList>(
  command: ViewCommand<L>,
  args: readonly string[],
): Result<Line<L>, readonly Problem[]> {
  const line = readCommandLine(allOptions(command), args, command.words.length);
  if (line.kind === 'error') return line;
  const { flags, words } = line.value;
  const values = readValues(command.options, flags, {});
  const connection = readValues(connectionOptions, flags, {});
  const missing = command.words.slice(words.length).map((word) => ({ path: word, message: 'is missing' }));
  const wrong = missing.length === 0 ? (command.checkWords?.(words) ?? []) : [];
  const problems = [...missing, ...wrong, ...problemsOf(values), ...problemsOf(connection)];
  if (values.kind === 'error' || connection.kind === 'error' || problems.length > 0) return err(problems);
  return ok({ values: values.value, words, connection: connection.value });
}

function problemsOf(result: Result<unknown, readonly Problem[]>): readonly Problem[] {
  return result.kind === 'error' ? result.error : [];
}

function viewHelp(command: Omit<ViewCommand, 'run'>): string {
  const { name, words, summary, details, exitCodes } = command;
  return [
    `Usage: ${['muster', name, ...words].join(' ')} [flags]`,
    '',
    summary,
    ...details,
    'Also as kubectl muster, where muster is installed as kubectl-muster.',
    '',
    'Flags:',
    formatOptions(allOptions(command)),
    '',
    `Exit codes: ${exitCodes}`,
  ].join('\n');
}
