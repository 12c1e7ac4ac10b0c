/** The table at the end of a test run: what each suite took, the slowest files, and the counts. */
import { tableLines } from '../terminal/table.ts';

/** Result of one test file. */
export interface FileOutcome {
  /** Name of its suite. */
  readonly suite: string;
  /** Path, relative to the checkout. */
  readonly file: string;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** From loading the file to its last hook. */
  readonly durationMs: number;
}

const SLOWEST_FILES = 10;

/**
 * The table as text. The last line is `Tests: N passed, N failed, N skipped`. Files run two at a time, so the times of the suites add up to
 * more than the run took.
 */
export function renderTestTable(files: readonly FileOutcome[]): string {
  const suites = [...new Set(files.map((file) => file.suite))];
  const rows = suites.map((suite) => ({ name: suite, ...sumOf(files.filter((file) => file.suite === suite)) }));
  const total = sumOf(files);
  const slowest = files.toSorted((a, b) => b.durationMs - a.durationMs).slice(0, SLOWEST_FILES);
  return [
    ...tableLines(
      [...rows, { name: 'all', ...total }].map((row) => [
        row.name,
        ...[row.files, row.passed, row.failed, row.skipped].map(String),
        seconds(row.durationMs),
      ]),
      { head: ['suite', 'files', 'passed', 'failed', 'skipped', 'seconds'], right: [1, 2, 3, 4, 5] },
    ),
    '',
    'slowest files (seconds)',
    ...tableLines(
      slowest.map((file) => [seconds(file.durationMs), file.file]),
      { right: [0], least: [8] },
    ),
    '',
    `Tests: ${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`,
  ].join('\n');
}

function sumOf(files: readonly FileOutcome[]) {
  const sum = (value: (file: FileOutcome) => number): number => files.reduce((all, file) => all + value(file), 0);
  return {
    files: files.length,
    passed: sum((file) => file.passed),
    failed: sum((file) => file.failed),
    skipped: sum((file) => file.skipped),
    durationMs: sum((file) => file.durationMs),
  };
}

const seconds = (ms: number): string => (ms / 1000).toFixed(1);
