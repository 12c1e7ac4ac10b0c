/**
 * Properties with one length setting (testing/tier.ts) and a memory: the seed of a failure is written to tests/kept-failures.json, and
 * every later run tries it first, at whatever length.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { expect } from 'vitest';
import { z } from 'zod';
import { propertyRuns } from './tier.ts';

const TESTS = path.resolve(import.meta.dirname, '../tests');
const KEPT_FILE = path.join(TESTS, 'kept-failures.json');

/** Failures by test, as fast-check replays them. */
const keptSchema = z.record(z.string(), z.array(z.strictObject({ seed: z.int(), path: z.string() })));
type Kept = z.infer<typeof keptSchema>;

/** How a property is run. */
export interface PropertyOptions<Values> {
  /** Runs at full length; 100 by default. The fast tier makes a tenth of them. */
  readonly runs?: number;
  /** Runs in the tier `deep`, where those at full length would take many minutes; as many by default. */
  readonly deepRuns?: number;
  /** Fixed where a run has to be the same each time; random by default. */
  readonly seed?: number;
  /** Cases that always run. */
  readonly examples?: Values[];
  /** Leaves out the search for a smaller counterexample, where one run takes long. */
  readonly endOnFailure?: boolean;
  /** Where failures are kept; the file of all tests by default. */
  readonly keptFile?: string;
}

/**
 * Asserts a property. Tries the kept failures of this test first.
 * @example assertProperty(fc.property(fc.integer(), (n) => n + 0 === n), { runs: 3000 })
 * @throws Error with the counterexample, the seed and the path
 */
export function assertProperty<Values>(
  property: fc.IAsyncProperty<Values>,
  options?: PropertyOptions<Values>,
): Promise<void>;
export function assertProperty<Values>(property: fc.IProperty<Values>, options?: PropertyOptions<Values>): void;
export function assertProperty<Values>(
  property: fc.IAsyncProperty<Values> | fc.IProperty<Values>,
  { runs = 100, deepRuns = runs, keptFile = KEPT_FILE, examples = [], ...parameters }: PropertyOptions<Values> = {},
): Promise<void> | void {
  const name = testName();
  const attempts: fc.Parameters<Values>[] = [
    ...(readKept(keptFile)[name] ?? []).map((kept) => ({ ...kept, numRuns: 1, endOnFailure: true })),
    // Apart from the others: examples among them would shift the paths that are kept.
    ...(examples.length === 0 ? [] : [{ examples, numRuns: examples.length }]),
    { ...parameters, numRuns: propertyRuns(runs, undefined, deepRuns) },
  ];
  const judge = (details: fc.RunDetails<Values>): void => {
    if (!details.failed) return;
    // Examples run every time anyway.
    if ((details.runConfiguration.examples ?? []).length === 0) keep(keptFile, name, details);
    throw new Error(fc.defaultReportMessage(details) ?? 'the property failed', { cause: details.errorInstance });
  };
  if (!property.isAsync()) {
    for (const attempt of attempts) judge(check(property, attempt) as fc.RunDetails<Values>);
    return undefined;
  }
  return (async () => {
    for (const attempt of attempts) judge(await check(property, attempt));
  })();
}

/**
 * Asserts that `check` neither throws nor returns false, whatever values the arbitraries draw.
 * @example it('adding nothing changes nothing', () => forAll([fc.integer()], { runs: 3000 }, (n) => n + 0 === n))
 * @throws Error with the counterexample, the seed and the path
 */
export function forAll<Values extends [unknown, ...unknown[]]>(
  arbitraries: { [Index in keyof Values]: fc.Arbitrary<Values[Index]> },
  ...rest: [Check<Values>] | [PropertyOptions<Values>, Check<Values>]
): Promise<void> {
  const [options, check] = rest.length === 2 ? rest : [{}, rest[0]];
  // Some assertions return an object, which fast-check would take for a failure.
  const holds = async (...values: Values): Promise<boolean> => (await check(...values)) !== false;
  return assertProperty(fc.asyncProperty<Values>(...arbitraries, holds), options);
}

type Check<Values extends unknown[]> = (...values: Values) => boolean | void | Promise<boolean | void>;

/** A kept path can lead nowhere after the generator was changed: then the case it began with is tried. */
function check<Values>(
  property: fc.IAsyncProperty<Values> | fc.IProperty<Values>,
  attempt: fc.Parameters<Values>,
): Promise<fc.RunDetails<Values>> | fc.RunDetails<Values> {
  try {
    return fc.check(property, attempt);
  } catch (error) {
    const [first, ...shrinks] = (attempt.path ?? '').split(':');
    if (shrinks.length === 0) throw error;
    return fc.check(property, { ...attempt, path: first ?? '' });
  }
}

/** Name of the running test, with its file. */
function testName(): string {
  const { testPath = '', currentTestName = '' } = expect.getState();
  return `${path.relative(TESTS, testPath)} > ${currentTestName}`;
}

function readKept(file: string): Kept {
  return keptSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
}

function keep(
  file: string,
  name: string,
  { seed, counterexamplePath }: { readonly seed: number; readonly counterexamplePath: string | null },
): void {
  if (counterexamplePath === null) return;
  const kept = readKept(file);
  const ofTest = kept[name] ?? [];
  if (ofTest.some((one) => one.seed === seed && one.path === counterexamplePath)) return;
  const added = { ...kept, [name]: [...ofTest, { seed, path: counterexamplePath }] };
  writeFileSync(file, `${JSON.stringify(added, null, 2)}\n`);
}
