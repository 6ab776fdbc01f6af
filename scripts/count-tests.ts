// Adds up the runners' JSON reports and the failed steps into the closing line of CI, names what failed, and exits accordingly.
// A report that is missing or empty counts as a failure: a run that executed nothing has shown nothing.

import { readFileSync } from 'node:fs';

type Case = {
  readonly fullName: string;
  readonly status: string;
  readonly failureMessages?: readonly string[];
};
type Report = {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly testResults?: readonly {
    readonly name: string;
    readonly message: string;
    readonly assertionResults: readonly Case[];
  }[];
};

const MESSAGE_LINES = 12;

const [failedSteps = '0', ...files] = process.argv.slice(2);
let passed = 0;
let failed = 0;
for (const file of files) {
  const report = read(file);
  if (report === null || report.numPassedTests === 0) {
    console.error(`no test ran: ${file.split('/').at(-1)}`);
    failed += 1;
    continue;
  }
  passed += report.numPassedTests;
  failed += report.numFailedTests;
  name(report);
}
// A step that failed without a failed test (lint, build, a crash of the runner) must show in the line too.
if (failed === 0) failed = Number(failedSteps);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && Number(failedSteps) === 0 ? 0 : 1;

function read(file: string): Report | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Report;
  } catch {
    return null;
  }
}

/** The end of a long log is what people are shown: what failed stands there once more, with the beginning of its message. */
function name(report: Report): void {
  for (const { name: path, message, assertionResults } of report.testResults ?? []) {
    if (message !== '') console.log(`\nfailed: ${path}\n${beginning(message)}`);
    for (const { fullName, status, failureMessages = [] } of assertionResults) {
      if (status === 'failed')
        console.log(`\nfailed: ${path}\n  ${fullName}\n${beginning(failureMessages.join('\n'))}`);
    }
  }
}

function beginning(message: string): string {
  return message
    .split('\n')
    .slice(0, MESSAGE_LINES)
    .map((line) => `    ${line}`)
    .join('\n');
}
