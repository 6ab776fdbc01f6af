// Adds up the runners' JSON reports and the failed steps into the closing line of CI, and exits accordingly.
// A report that is missing or empty counts as a failure: a run that executed nothing has shown nothing.

import { readFileSync } from 'node:fs';

type Report = { readonly numPassedTests: number; readonly numFailedTests: number };

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
