// The shape of a house rule. A rule owns its check, its words and the examples that prove that it can fail.

import { lineAt, type SourceFile, type Visit } from './source.ts';

export type Violation = { readonly file: string; readonly line: number; readonly message: string };

/** Files by path, written down for an example. */
export type Example = Readonly<Record<string, string>>;

export type Rule = {
  readonly name: string;
  readonly check: (files: readonly SourceFile[]) => readonly Violation[];
  /** Keyed by a sentence. Each holds one flaw, for which the rule has exactly one violation. */
  readonly refuses: Readonly<Record<string, Example>>;
  readonly accepts: Readonly<Record<string, Example>>;
};

/** The message says what is wrong here and what to do instead. */
export function violation(file: SourceFile, offset: number, message: string): Violation {
  return { file: file.path, line: lineAt(file.text, offset), message };
}

/** A violation for every place in the syntax about which `complaint` has something to say. */
export function inspect(
  files: readonly SourceFile[],
  complaint: (visit: Visit, file: SourceFile) => string | null,
): readonly Violation[] {
  return files.flatMap((file) =>
    file.visits().flatMap((visit) => {
      const message = complaint(visit, file);
      return message === null ? [] : [violation(file, visit.node.start, message)];
    }),
  );
}

export function isTypeScript({ path }: Pick<SourceFile, 'path'>): boolean {
  return /^(?:src|test|bench|scripts)\/.*\.tsx?$/.test(path);
}

export function isTest({ path }: Pick<SourceFile, 'path'>): boolean {
  return /\.(?:test|e2e|browser)\.tsx?$/.test(path);
}

/** What is shipped: the sources without the tests beside them. */
export function isProduction(file: SourceFile): boolean {
  return isTypeScript(file) && file.path.startsWith('src/') && !isTest(file);
}

/** The folder under src that a file belongs to: `kube` of src/kube/reflector/step.ts; null outside of all of them. */
export function folderOf(path: string): string | null {
  return /^src\/([^/]+)\//.exec(path)?.[1] ?? null;
}
