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
  /** One line a failure: title of the test or name of the hook, and its message; at least one where `failed` is not 0. */
  readonly failures: readonly string[];
  readonly skipped: number;
  /** From loading the file to its last hook. */
  readonly durationMs: number;
}

const SLOWEST_FILES = 10;
/** A file of the fast tier that takes longer is made cheaper before anything is added to it. */
const FILE_BUDGET_MS = 20_000;

/** Limits of the fast tier, in the same words in CONTRIBUTING.md. */
export const FAST_BUDGET = { totalMs: 600_000, fileMs: FILE_BUDGET_MS };

/**
 * What of the fast tier is over its budget; empty where nothing is.
 *
 * @param totalMs from the first check to the last test
 */
export function budgetLines(files: readonly FileOutcome[], totalMs: number): string[] {
  const over = files.filter(({ durationMs }) => durationMs > FAST_BUDGET.fileMs);
  const total = `fast tier: ${seconds(totalMs)} s of ${seconds(FAST_BUDGET.totalMs)} s`;
  return [
    totalMs > FAST_BUDGET.totalMs ? `${total}: over its budget` : total,
    ...over
      .toSorted((a, b) => b.durationMs - a.durationMs)
      .map(({ file, durationMs }) => `over ${seconds(FAST_BUDGET.fileMs)} s: ${file} (${seconds(durationMs)} s)`),
  ];
}

/** One line for each failure of these files, with the path of its file. */
export const failureLines = (files: readonly Pick<FileOutcome, 'file' | 'failures'>[]): string[] =>
  files.flatMap(({ file, failures }) => failures.map((failure) => `failed: ${file}: ${failure}`));

/**
 * The table as text. The last line is `Tests: N passed, N failed, N skipped`. Files run two at a time, so the times of the suites add up to
 * more than the run took.
 */
export function renderTestTable(files: readonly FileOutcome[]): string {
  const suites = [...new Set(files.map((file) => file.suite))];
  const rows = suites.map((suite) => ({ name: suite, ...sumOf(files.filter((file) => file.suite === suite)) }));
  const total = sumOf(files);
  const slowest = files.toSorted((a, b) => b.durationMs - a.durationMs).slice(0, SLOWEST_FILES);
  const failures = failureLines(files);
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
    ...(failures.length === 0 ? [] : ['', ...failures]),
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
