import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { batches, calledTests, fitted, longestFirst, sliceOf } from '../../../cli/test/choose.ts';
import type { DeepMap } from '../../../cli/test/deep-map.ts';
import { importGraph } from '../../../cli/test/import-graph.ts';
import { forAll } from '../../../testing/property.ts';

const TESTS = ['tests/e2e/all.deep.test.ts', 'tests/unit/ledger.test.ts', 'tests/compose/image.test.ts'];
const [ALL, LEDGER, IMAGE] = TESTS as [string, string, string];

const used = (files: readonly string[], own: readonly string[], most: readonly string[]) => ({
  durationMs: 2_000,
  files: new Set(files),
  own: new Set(own),
  most: new Set(most),
});
/** Two tests use the ledger; only the second runs more of it than a start does. */
const map: DeepMap = {
  sources: new Map(
    ['domain/ledger.ts', 'domain/deck.ts', 'web/page.tsx', ALL, LEDGER].map((file) => [file, { fewest: 1, most: 2 }]),
  ),
  tests: new Map([
    [ALL, used(['domain/ledger.ts', 'domain/deck.ts', ALL], ['domain/deck.ts'], ['domain/deck.ts'])],
    [LEDGER, used(['domain/ledger.ts', LEDGER], ['domain/ledger.ts'], ['domain/ledger.ts'])],
  ]),
};
const graph = importGraph(
  new Map([
    ['domain/new.ts', []],
    ['domain/newer.ts', ['domain/new.ts']],
    ['domain/deck.ts', ['domain/newer.ts', 'domain/words.json']],
  ]),
);
const called = (...changed: string[]): string[] => calledTests(changed, TESTS, map, graph).map(({ test }) => test);

describe('tests that a change calls for', () => {
  it('Tests that run more of a file than a start of Deckhand go first, then those that use fewer files', () => {
    expect(called('domain/ledger.ts')).toEqual([LEDGER, ALL]);
    expect(called('domain/deck.ts')).toEqual([ALL]);
  });

  it('Tests that run the most functions of a file go before those that run some of its own, however many files they use', () => {
    const file = 'domain/ledger.ts';
    const tests = new Map([
      [ALL, used([file, 'domain/deck.ts', ALL], [file], [file])],
      [LEDGER, used([file, LEDGER], [file], [])],
      [IMAGE, used([file], [], [])],
    ]);
    const order = calledTests([file], TESTS, { sources: map.sources, tests }, graph);
    expect(order.map(({ test }) => test)).toEqual([ALL, LEDGER, IMAGE]);
  });

  it('A file that no deep test used calls for none', () => expect(called('web/page.tsx')).toEqual([]));

  it('A file that is newer than the map, or data, calls for the tests of what imports it', () => {
    expect(called('domain/new.ts')).toEqual([ALL]);
    expect(called('domain/words.json')).toEqual([ALL]);
  });

  it('A file that neither the map nor the imports know calls for every test', () => {
    expect(new Set(called('package-lock.json'))).toEqual(new Set(TESTS));
    expect(new Set(called('domain/imported-by-none.ts'))).toEqual(new Set(TESTS));
  });

  it('SQL, images and scripts call for the tests that are listed by hand, documentation for none', () => {
    expect(called('Dockerfile')).toEqual([IMAGE]);
    expect(called('prisma/migrations/1_more/migration.sql')).toEqual([ALL]);
    expect(called('docs/fleet.md', 'README.md')).toEqual([]);
  });

  it('A deep test that changed calls for itself, a changed test of the fast tier for nothing', () => {
    expect(called(IMAGE)).toEqual([IMAGE]);
    expect(called('tests/unit/other.test.ts')).toEqual([]);
  });

  it('A file beside deep tests that is no source file calls for those tests', () =>
    expect(called('tests/compose/data.json')).toEqual([IMAGE]));

  it('Another changed file never takes tests away', async () => {
    const file = fc.constantFrom(...map.sources.keys(), 'domain/new.ts', 'docs/a.md', 'Dockerfile', 'x.sql');
    await forAll([fc.array(file), file], (files, more) => {
      const after = called(...files, more);
      expect(called(...files).filter((test) => !after.includes(test))).toEqual([]);
    });
  });
});

describe('the budget', () => {
  const timed = fc.array(fc.record({ test: fc.string(), expectedMs: fc.integer({ min: 1, max: 1_000 }) }));

  it('What is chosen fits, and nothing that is left out would have fitted at its turn', async () => {
    await forAll([timed, fc.integer({ min: 0, max: 5_000 })], (tests, budgetMs) => {
      const { chosen, leftOut } = fitted(tests, budgetMs);
      const sum = chosen.reduce((total, { expectedMs }) => total + expectedMs, 0);
      expect(sum).toBeLessThanOrEqual(budgetMs);
      for (const { expectedMs } of leftOut) expect(expectedMs).toBeGreaterThan(budgetMs - sum - 1_000);
      expect(chosen.length + leftOut.length).toBe(tests.length);
    });
  });

  it('Batches keep every test in its order, and only a single test is longer than a batch', async () => {
    await forAll([timed], (tests) => {
      const cut = batches(tests, 500);
      expect(cut.flat()).toEqual(tests);
      for (const batch of cut) {
        const sum = batch.reduce((total, { expectedMs }) => total + expectedMs, 0);
        expect(sum <= 500 || batch.length === 1).toBe(true);
      }
    });
  });
});

describe('the tenth of the other tests', () => {
  const many = Array.from({ length: 500 }, (_, index) => `tests/unit/f${index}.test.ts`);

  it('The same commit gives the same tests, and another commit others', () => {
    expect(sliceOf(many, 'a')).toEqual(sliceOf(many, 'a'));
    expect(sliceOf(many, 'a')).not.toEqual(sliceOf(many, 'b'));
  });

  it('Every test is in the tenth of some commit, and a commit has about a tenth', () => {
    const slices = Array.from({ length: 100 }, (_, commit) => sliceOf(many, String(commit)));
    expect(new Set(slices.flat()).size).toBe(many.length);
    for (const slice of slices) expect(slice.length).toSatisfy((length: number) => length > 15 && length < 100);
  });
});

it('Files that take a minute or more run first, the longest before all, and the others keep their order', () => {
  const minutes = new Map([
    ['b', 0.9],
    ['c', 1],
    ['d', 5],
  ]);
  const durationMs = (file: string): number | undefined => {
    const known = minutes.get(file);
    return known === undefined ? undefined : known * 60_000;
  };
  expect(longestFirst(['a', 'b', 'c', 'd', 'e'], durationMs)).toEqual(['d', 'c', 'a', 'b', 'e']);
  expect(longestFirst(['e', 'b', 'a'], durationMs)).toEqual(['e', 'b', 'a']);
});
