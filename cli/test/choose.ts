/**
 * Which deep tests a change calls for, decided from the map of deep tests. Files that the map does not know are found through the imports, and
 * what no import leads to, such as SQL and scripts, through a short list.
 */
import { createHash } from 'node:crypto';
import type { DeepMap } from './deep-map.ts';
import type { ImportGraph } from './import-graph.ts';

/** Deep tests by the beginnings of their paths. */
type Calls = readonly string[];
const NONE: Calls = [];

/**
 * What runs outside of Node, is read as data, or is killed before it can say what it executed. The longest entry that a path begins with decides; a
 * file that is in the map calls for its recorded tests as well.
 */
const BY_HAND: Readonly<Record<string, Calls>> = {
  'prisma/migrations/': ['tests/integration/', 'tests/e2e/', 'tests/fleet/', 'tests/monitoring/'],
  'prisma/schema.prisma': ['tests/integration/', 'tests/e2e/', 'tests/fleet/', 'tests/monitoring/'],
  'images/': ['tests/compose/'],
  Dockerfile: ['tests/compose/'],
  'docker-compose.yml': ['tests/compose/'],
  '.dockerignore': ['tests/compose/'],
  'monitoring/': ['tests/monitoring/'],
  'samples/': ['tests/integration/reader/', 'tests/e2e/evaluate'],
  'reader/words/': ['tests/integration/reader/', 'tests/e2e/evaluate'],
  'runtime/supervisor/': ['tests/chaos/', 'tests/e2e/crash', 'tests/fleet/instance-crash'],
  'workers/': ['tests/chaos/', 'tests/e2e/crash', 'tests/fleet/instance-crash'],
  'domain/fleet/startup-script/': ['tests/ssh/', 'tests/compose/'],
  // The fast tier and the checks run by them, or nothing does.
  'docs/': NONE,
  '.ci/': NONE,
  '.env.example': NONE,
  '.gitignore': NONE,
  '.oxfmtrc.json': NONE,
  '.oxlintrc.json': NONE,
  'README.md': NONE,
  'ARCHITECTURE.md': NONE,
  'CONTRIBUTING.md': NONE,
  LICENSE: NONE,
  'fleet.example.json': NONE,
  'models.example.json': NONE,
  'knip.json': NONE,
  'tsconfig.json': NONE,
  'web/tsconfig.json': NONE,
  'vitest.config.ts': NONE,
  'tests/README.md': NONE,
  'tests/SCENARIOS.md': NONE,
  'tests/deep-map.json': NONE,
  'tests/histories/': NONE,
  // Every tier tries them, whatever its length.
  'tests/kept-failures.json': NONE,
  'tests/web/': NONE,
};

/** Files of the graph of imports: code and the data that it imports. */
const SOURCE = /\.(?:tsx?|json)$/u;
const TEST = /^tests\/.*\.test\.tsx?$/u;

/** A deep test that a change calls for. */
export interface CalledTest {
  readonly test: string;
  /** The first changed file that calls for it. */
  readonly because: string;
}

/**
 * The deep tests that changed files call for, the most specific first: those that run the most functions of a changed file, then those that run more
 * of one than a start of Deckhand does; among equals the ones that use the fewest files. Every test of `deepTests` where one of the files is known
 * neither to the map nor to the imports.
 *
 * @param deepTests every file of deep tests there is; one that the map does not know yet is called when it changed
 */
export function calledTests(
  changed: readonly string[],
  deepTests: readonly string[],
  map: DeepMap,
  graph: ImportGraph,
): readonly CalledTest[] {
  const users = usersOf(map);
  const called = new Map<string, string>();
  for (const because of changed) {
    for (const test of testsOf(because, deepTests, map, users, graph)) if (!called.has(test)) called.set(test, because);
  }
  const size = (test: string): number => map.tests.get(test)?.files.size ?? 0;
  // What every start of Deckhand runs is no reason to go first.
  const rank = (test: string): number => {
    const recorded = map.tests.get(test);
    if (recorded === undefined || changed.includes(test) || changed.some((file) => recorded.most.has(file))) return 0;
    return changed.some((file) => recorded.own.has(file)) ? 1 : 2;
  };
  return deepTests
    .filter((test) => called.has(test))
    .toSorted((a, b) => rank(a) - rank(b) || size(a) - size(b) || (a < b ? -1 : 1))
    .map((test) => ({ test, because: called.get(test) ?? '' }));
}

/** The tests that use each file. */
function usersOf(map: DeepMap): ReadonlyMap<string, readonly string[]> {
  const users = new Map<string, string[]>();
  for (const [test, { files }] of map.tests) {
    for (const file of files) users.set(file, [...(users.get(file) ?? []), test]);
  }
  return users;
}

function testsOf(
  file: string,
  deepTests: readonly string[],
  map: DeepMap,
  users: ReadonlyMap<string, readonly string[]>,
  graph: ImportGraph,
): readonly string[] {
  const byHand = handEntry(file);
  const listed = byHand === undefined ? [] : deepTests.filter((test) => byHand.some((start) => test.startsWith(start)));
  if (deepTests.includes(file)) return [file, ...listed];
  if (map.sources.has(file)) return [...listed, ...(users.get(file) ?? [])];
  if (SOURCE.test(file)) {
    // A test of the fast tier has run.
    if (TEST.test(file)) return listed;
    const through = testsThroughImporters(file, deepTests, map, users, graph);
    if (through !== undefined) return [...listed, ...through];
  }
  if (byHand !== undefined) return listed;
  const besides = /^tests\/[^/]+\/(?:.*\/)?/u.exec(file)?.[0];
  const beside = besides === undefined ? [] : deepTests.filter((test) => test.startsWith(besides));
  return beside.length > 0 ? beside : deepTests;
}

const handEntry = (file: string): Calls | undefined =>
  Object.entries(BY_HAND)
    .filter(([start]) => file.startsWith(start))
    .toSorted(([a], [b]) => b.length - a.length)[0]?.[1];

/**
 * Tests of a file that is newer than the map: those that use what imports it, directly or through other new files; undefined where nothing imports
 * it.
 */
function testsThroughImporters(
  file: string,
  deepTests: readonly string[],
  map: DeepMap,
  users: ReadonlyMap<string, readonly string[]>,
  graph: ImportGraph,
): readonly string[] | undefined {
  const tests = new Set<string>();
  const seen = new Set([file]);
  const waiting = [file];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const importer of graph.importersOf(next)) {
      if (seen.has(importer)) continue;
      seen.add(importer);
      if (deepTests.includes(importer)) tests.add(importer);
      for (const test of users.get(importer) ?? []) tests.add(test);
      if (!map.sources.has(importer)) waiting.push(importer);
    }
  }
  return seen.size === 1 ? undefined : [...tests];
}

/** One in how many of the tests that a change does not call for runs all the same. */
const SLICE = 10;

/** A tenth of the tests, another one for each commit. */
export const sliceOf = (tests: readonly string[], commit: string): readonly string[] =>
  tests.filter((test) => createHash('sha256').update(`${test} ${commit}`).digest().readUInt32BE() % SLICE === 0);

/** A test with the time it is expected to take. */
export interface TimedTest {
  readonly test: string;
  readonly expectedMs: number;
}

/** What of the tests fits into a budget. */
export interface Fitted {
  readonly chosen: readonly TimedTest[];
  readonly leftOut: readonly TimedTest[];
}

/** Takes tests in their order as long as their times fit; a later, shorter one may fit where an earlier one did not. */
export function fitted(tests: readonly TimedTest[], budgetMs: number): Fitted {
  const chosen: TimedTest[] = [];
  const leftOut: TimedTest[] = [];
  let leftMs = budgetMs;
  for (const test of tests) {
    if (test.expectedMs > leftMs) {
      leftOut.push(test);
      continue;
    }
    chosen.push(test);
    leftMs -= test.expectedMs;
  }
  return { chosen, leftOut };
}

/** Cuts tests into runs of about this length, in their order, so that the time left is looked at between them. */
export function batches(tests: readonly TimedTest[], batchMs: number): readonly (readonly TimedTest[])[] {
  const all: TimedTest[][] = [];
  let filledMs = Number.POSITIVE_INFINITY;
  for (const test of tests) {
    if (filledMs + test.expectedMs > batchMs) {
      all.push([]);
      filledMs = 0;
    }
    all.at(-1)?.push(test);
    filledMs += test.expectedMs;
  }
  return all;
}

/** Shorter files keep their order, in which those of one project share processes. */
const LONG_MS = 60_000;

/**
 * Puts the files that take a minute or more first, the longest before all, so that none of them runs alone at the end. The others keep their order.
 *
 * @param durationMs time of a file when it was recorded; undefined for an unknown one
 */
export function longestFirst<File>(files: readonly File[], durationMs: (file: File) => number | undefined): File[] {
  const longMs = (file: File): number => {
    const ms = durationMs(file) ?? 0;
    return ms >= LONG_MS ? ms : 0;
  };
  return files.toSorted((a, b) => longMs(b) - longMs(a));
}
