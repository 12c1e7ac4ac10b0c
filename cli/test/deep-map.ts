/**
 * The map of deep tests (tests/deep-map.json): for each file of deep tests the source files that its processes used, and how long it took alone.
 * `deckhand test full --record` writes it.
 */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { writeFileAtomically } from '../../platform/processes/records.ts';

/** A file of deep tests as it was recorded. */
export interface RecordedTest {
  /** From the start of vitest to its end, for this file alone. */
  readonly durationMs: number;
  /** Files that it used, relative to the checkout, itself among them. */
  readonly files: ReadonlySet<string>;
  /** Files of which it ran more functions than the test that ran the fewest: not only what every start of Deckhand runs. */
  readonly own: ReadonlySet<string>;
  /** Its own files of which no other test ran more functions. */
  readonly most: ReadonlySet<string>;
}

/** How many functions of a source file tests ran; 0 where none did. */
export interface FunctionsRun {
  readonly fewest: number;
  readonly most: number;
}

/** The map. */
export interface DeepMap {
  /** Every source file of the checkout at that time. */
  readonly sources: ReadonlyMap<string, FunctionsRun>;
  /** By file of deep tests. */
  readonly tests: ReadonlyMap<string, RecordedTest>;
}

/** A test that was just recorded: its files with the number of functions that it ran. */
export interface NewRecord {
  readonly durationMs: number;
  readonly functions: ReadonlyMap<string, number>;
}

const NEVER_RUN: FunctionsRun = { fewest: 0, most: 0 };

export const MAP_FILE = 'tests/deep-map.json';

/** As it is stored: files by their number in `sources`, consecutive numbers as `3-9`. */
const storedSchema = z.strictObject({
  sources: z.record(z.string(), z.tuple([z.int(), z.int()])),
  tests: z.record(
    z.string(),
    z.strictObject({ durationMs: z.int(), files: z.string(), own: z.string(), most: z.string() }),
  ),
});

/** Reads the map; an empty one where none was recorded. */
export function readDeepMap(root: string): DeepMap {
  const file = path.join(root, MAP_FILE);
  if (!existsSync(file)) return { sources: new Map(), tests: new Map() };
  const { sources, tests } = storedSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  const names = Object.keys(sources);
  const filesOf = (numbers: string): ReadonlySet<string> =>
    new Set(numbersOf(numbers).flatMap((number) => names[number] ?? []));
  return {
    sources: new Map(Object.entries(sources).map(([file, [fewest, most]]) => [file, { fewest, most }])),
    tests: new Map(
      Object.entries(tests).map(([test, { durationMs, files, own, most }]) => [
        test,
        { durationMs, files: filesOf(files), own: filesOf(own), most: filesOf(most) },
      ]),
    ),
  };
}

/** Writes the map, a line per source file and per test. While tests are recorded, a vitest that starts reads it. */
export function writeDeepMap(root: string, { sources, tests }: DeepMap): void {
  const numbers = new Map([...sources.keys()].toSorted().map((file, number) => [file, number]));
  const rangesOfFiles = (files: ReadonlySet<string>): string =>
    rangesOf([...files].flatMap((file) => numbers.get(file) ?? []));
  const listed = [...numbers.keys()].map((file) => {
    const { fewest, most } = sources.get(file) ?? NEVER_RUN;
    return `${JSON.stringify(file)}: [${fewest}, ${most}]`;
  });
  const stored = [...tests]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([test, { durationMs, files, own, most }]) => {
      const entry = {
        durationMs,
        files: rangesOfFiles(files),
        own: rangesOfFiles(own),
        most: rangesOfFiles(most),
      };
      return `${JSON.stringify(test)}: ${JSON.stringify(entry)}`;
    });
  const lines = ['{', '"sources": {', listed.join(',\n'), '},', '"tests": {', stored.join(',\n'), '}', '}'];
  writeFileAtomically(path.join(root, MAP_FILE), `${lines.join('\n')}\n`, 0o644);
}

/**
 * The map after a recording.
 *
 * @param sources every source file of the checkout
 * @param deepTests every file of deep tests: others leave the map
 */
export function withRecords(
  old: DeepMap,
  records: ReadonlyMap<string, NewRecord>,
  sources: readonly string[],
  deepTests: readonly string[],
): DeepMap {
  const kept = [...old.tests].filter(([test]) => deepTests.includes(test) && !records.has(test));
  const ran = new Map<string, FunctionsRun>();
  const note = (file: string, { fewest, most }: FunctionsRun): void => {
    const known = ran.get(file) ?? { fewest, most };
    ran.set(file, { fewest: Math.min(known.fewest, fewest), most: Math.max(known.most, most) });
  };
  for (const { functions } of records.values()) {
    for (const [file, count] of functions) note(file, { fewest: count, most: count });
  }
  for (const [, { files }] of kept) for (const file of files) note(file, old.sources.get(file) ?? NEVER_RUN);
  const recorded = [...records].map(([test, { durationMs, functions }]): [string, RecordedTest] => {
    const own = [...functions].filter(([file, count]) => count > (ran.get(file) ?? NEVER_RUN).fewest);
    const most = own.filter(([file, count]) => count === ran.get(file)?.most);
    const named = (list: readonly (readonly [string, number])[]) => new Set(list.map(([file]) => file));
    return [test, { durationMs, files: new Set(functions.keys()), own: named(own), most: named(most) }];
  });
  const beaten = (file: string): boolean => (ran.get(file)?.most ?? 0) > (old.sources.get(file)?.most ?? 0);
  const keptNow = kept.map(([test, { most, ...rest }]): [string, RecordedTest] => [
    test,
    { ...rest, most: new Set([...most].filter((file) => !beaten(file))) },
  ]);
  return {
    sources: new Map(sources.map((file) => [file, ran.get(file) ?? NEVER_RUN])),
    tests: new Map([...keptNow, ...recorded]),
  };
}

/** `[0, 1, 2, 5]` as `0-2,5`. */
export function rangesOf(numbers: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const number of numbers.toSorted((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last !== undefined && number <= last[1] + 1) last[1] = number;
    else ranges.push([number, number]);
  }
  return ranges.map(([first, last]) => (first === last ? String(first) : `${first}-${last}`)).join(',');
}

/** The numbers of {@link rangesOf}. */
export const numbersOf = (ranges: string): number[] =>
  ranges
    .split(',')
    .filter((range) => range !== '')
    .flatMap((range) => {
      const [first = 0, last = first] = range.split('-').map(Number);
      return Array.from({ length: last - first + 1 }, (_, index) => first + index);
    });
