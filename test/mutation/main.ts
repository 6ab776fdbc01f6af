// `npm run test:mutation`: changes one piece of the code at a time and asks whether a test notices. Arguments go to Stryker;
// without `--force` only what changed since the last run is tried again. Fails below the bar in stryker.json.

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { type Report, rowsOf, shortfalls } from './modules.ts';
import settings from './stryker.json' with { type: 'json' };

const root = path.resolve(import.meta.dirname, '../..');
const reportFile = path.join(root, settings.jsonReporter.fileName);

// A report that was there before would speak for a run that never ended.
rmSync(reportFile, { force: true });
const args = ['run', 'test/mutation/stryker.json', ...process.argv.slice(2)];
const { status } = spawnSync('stryker', args, { cwd: root, stdio: 'inherit' });

if (existsSync(reportFile)) judge(JSON.parse(readFileSync(reportFile, 'utf8')) as Report);
else process.exitCode = status || 1;

function judge(report: Report): void {
  const rows = rowsOf(report);
  console.table(rows.map((row) => ({ ...row, score: row.score.toFixed(1) })));
  const problems = shortfalls(rows, settings.thresholds.break);
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length > 0 ? 1 : (status ?? 1);
}
