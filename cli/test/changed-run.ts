/** `deckhand test changed`: runs the deep tests that a change calls for, within a budget of time, and says what it leaves out. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type CalledTest, batches, calledTests, fitted, sliceOf, type TimedTest } from './choose.ts';
import { changedFiles, findBase, headOf } from './changes.ts';
import { type DeepFile, deepFiles } from './deep-files.ts';
import { readDeepMap } from './deep-map.ts';
import { importGraph, readImports, sourceFiles } from './import-graph.ts';
import type { Suite } from './suites.ts';

/** Between two batches the time left is looked at. */
const BATCH_MS = 240_000;
/** Of a test that was never recorded. */
const UNKNOWN_MS = 60_000;
/** Files at a time save no more than this on two cores. */
const MOST_AT_ONCE = 2;

/** Runs tests, and builds programs that they need. */
export interface TestRunner {
  /** Runs files of tests. Adds a line for each failure to `failuresFile`, and tells the exit code. */
  run(files: readonly DeepFile[], failuresFile: string): Promise<number>;
  /** Builds the programs of suites while tests run. Returns what ends it. */
  buildBeside(suites: readonly Suite[]): () => void;
  /** False for a suite whose program takes minutes to build and is not there yet. */
  isBuilt(suite: Suite): boolean;
}

/** Base of the change, and the time for its tests. */
export interface ChangedOptions {
  /** The commit to compare with; found where it is not named. */
  readonly base?: string | undefined;
  /** Time for the tests; without end where it is not named. */
  readonly budgetMs?: number | undefined;
}

/** Runs the deep tests of the change in the checkout. Returns the exit code. */
export async function runChanged(
  root: string,
  { base, budgetMs }: ChangedOptions,
  runner: TestRunner,
): Promise<number> {
  const startedMs = performance.now();
  const from = findBase(root, base);
  const changed = changedFiles(root, from);
  const sinceCommit = from.commit === undefined ? '' : `, ${from.commit.slice(0, 10)}`;
  console.error(`changed: ${changed.length} files (${from.why}${sinceCommit})`);
  const map = readDeepMap(root);
  const all = new Map(deepFiles(root).map((deep) => [deep.file, deep]));
  const tests = [...all.keys()];
  const called = calledTests(changed, tests, map, importGraph(readImports(root, sourceFiles(root))));
  const others = tests.filter((test) => !called.some((each) => each.test === test));
  const slice = sliceOf(others, headOf(root));
  const timed = (list: readonly string[]): TimedTest[] =>
    list.map((test) => ({ test, expectedMs: (map.tests.get(test)?.durationMs ?? UNKNOWN_MS) / MOST_AT_ONCE }));
  const rotating = timed(slice);
  const { chosen, leftOut } = fitted(
    timed(called.map(({ test }) => test)),
    (budgetMs ?? Number.POSITIVE_INFINITY) - totalMs(rotating),
  );
  const unrecorded = tests.filter((test) => !map.tests.has(test));
  if (unrecorded.length > 0) {
    console.error(
      `${unrecorded.length} deep tests are not recorded yet; record them with \`./deckhand test full --record FILE…\``,
    );
  }
  for (const line of planLines(called, chosen, leftOut, rotating, others.length)) console.error(line);
  const plan = [...chosen, ...rotating];
  const notRun = [...leftOut];
  const filesOf = (list: readonly TimedTest[]): DeepFile[] => list.flatMap(({ test }) => all.get(test) ?? []);
  const stopBuilding = runner.buildBeside([...new Set(filesOf(plan).map(({ suite }) => suite))]);
  const scratch = mkdtempSync(path.join(tmpdir(), 'deckhand-changed-'));
  const failuresFile = path.join(scratch, 'failures');
  writeFileSync(failuresFile, '');
  let code = 0;
  let failures = '';
  try {
    for (const batch of batches(plan, BATCH_MS)) {
      const leftMs = (budgetMs ?? Number.POSITIVE_INFINITY) - (performance.now() - startedMs);
      if (totalMs(batch) > leftMs) {
        notRun.push(...batch);
        continue;
      }
      const unbuilt = unbuiltSuites(filesOf(batch), leftMs, runner);
      for (const { name, buildMinutes } of unbuilt)
        console.error(
          `not run: suite ${name}, whose program is not built yet, which takes ${buildMinutes ?? 0} minutes`,
        );
      const files = filesOf(batch).filter(({ suite }) => !unbuilt.includes(suite));
      notRun.push(...batch.filter(({ test }) => files.every(({ file }) => file !== test)));
      if (files.length === 0) continue;
      const result = await runner.run(files, failuresFile);
      if (result !== 0) code = result;
    }
    failures = readFileSync(failuresFile, 'utf8');
  } finally {
    stopBuilding();
    rmSync(scratch, { recursive: true });
  }
  for (const line of gapLines(notRun, others.length - slice.length)) console.error(line);
  // Once more at the end: a log of several batches is long, and its readers often see the last lines only.
  process.stderr.write(failures);
  return code;
}

/** Suites of these files whose program is not built and would not be in the time that is left. */
export function unbuiltSuites(
  files: readonly DeepFile[],
  leftMs: number,
  runner: Pick<TestRunner, 'isBuilt'>,
): readonly Suite[] {
  const suites = [...new Set(files.map(({ suite }) => suite))];
  return suites.filter((suite) => leftMs < (suite.buildMinutes ?? 0) * 60_000 && !runner.isBuilt(suite));
}

const totalMs = (tests: readonly TimedTest[]): number => tests.reduce((sum, { expectedMs: each }) => sum + each, 0);
const minutes = (ms: number): string => (ms / 60_000).toFixed(1);

function planLines(
  called: readonly CalledTest[],
  chosen: readonly TimedTest[],
  leftOut: readonly TimedTest[],
  rotating: readonly TimedTest[],
  others: number,
): string[] {
  const reasons = new Map(called.map(({ test, because }) => [test, because]));
  return [
    ...chosen.map(({ test }) => `deep test ${test}: ${reasons.get(test) ?? ''} changed`),
    ...rotating.map(({ test }) => `deep test ${test}: in this commit's tenth of the others`),
    `${called.length} deep tests use a changed file: ${chosen.length} run (${minutes(totalMs(chosen))} min), ${leftOut.length} do not fit`,
    `${others} deep tests use none: ${rotating.length} run (${minutes(totalMs(rotating))} min)`,
  ];
}

/** Lines about the tests that did not run, and how long a fault can stay unseen. */
function gapLines(notRun: readonly TimedTest[], unchosen: number): string[] {
  return [
    ...notRun.map(({ test, expectedMs: each }) => `not run, no time left: ${test} (${minutes(each)} min)`),
    `expected gap: ${notRun.length} tests that use a changed file and ${unchosen} others did not run; each of the others runs once in ten commits on average`,
  ];
}
