import { mkdirSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { numbersOf, rangesOf, readDeepMap, withRecords, writeDeepMap } from '../../../cli/test/deep-map.ts';
import { folderPerTest } from '../../../testing/per-file.ts';
import { forAll } from '../../../testing/property.ts';

const EMPTY = { sources: new Map(), tests: new Map() };
const record = (functions: Record<string, number>) => ({
  durationMs: 10,
  functions: new Map(Object.entries(functions)),
});

describe('the map of deep tests', () => {
  it('Numbers survive being written as ranges', async () => {
    await forAll([fc.uniqueArray(fc.nat(300))], (numbers) =>
      expect(numbersOf(rangesOf(numbers))).toEqual(numbers.toSorted((a, b) => a - b)),
    );
  });

  it('A test owns the files of which it ran more functions than the test that ran the fewest', () => {
    const records = new Map([
      ['start.test.ts', record({ 'a.ts': 2, 'b.ts': 1 })],
      ['more.test.ts', record({ 'a.ts': 5, 'b.ts': 1 })],
    ]);
    const map = withRecords(EMPTY, records, ['a.ts', 'b.ts', 'c.ts'], [...records.keys()]);
    expect(map.tests.get('start.test.ts')?.own).toEqual(new Set());
    expect(map.tests.get('more.test.ts')?.own).toEqual(new Set(['a.ts']));
    expect(map.sources.get('a.ts')).toEqual({ fewest: 2, most: 5 });
    expect(map.sources.get('c.ts')).toEqual({ fewest: 0, most: 0 });
  });

  it('A test has the most of a file until another one runs more functions of it', () => {
    const tests = ['start.test.ts', 'more.test.ts', 'all.test.ts'];
    const of = (test: string, count: number) => new Map([[test, record({ 'a.ts': count })]]);
    const start = withRecords(EMPTY, of('start.test.ts', 2), ['a.ts'], tests);
    const more = withRecords(start, of('more.test.ts', 5), ['a.ts'], tests);
    expect(more.tests.get('more.test.ts')?.most).toEqual(new Set(['a.ts']));
    const all = withRecords(more, of('all.test.ts', 6), ['a.ts'], tests);
    expect(all.tests.get('more.test.ts')).toMatchObject({ own: new Set(['a.ts']), most: new Set() });
    expect(all.tests.get('all.test.ts')?.most).toEqual(new Set(['a.ts']));
  });

  it('A map that was written is read as it was', () => {
    const root = folderPerTest();
    const records = new Map([
      ['x.test.ts', record({ 'a.ts': 2 })],
      ['y.test.ts', record({ 'a.ts': 3, 'b.ts': 1 })],
    ]);
    const map = withRecords(EMPTY, records, ['a.ts', 'b.ts'], [...records.keys()]);
    expect(readDeepMap(path.join(root, 'none'))).toEqual(EMPTY);
    mkdirSync(path.join(root, 'tests'));
    writeDeepMap(root, map);
    expect(readDeepMap(root)).toEqual(map);
  });

  it('A recording of some tests keeps the others, without tests that are gone', () => {
    const before = new Map([
      ['x.test.ts', record({ 'a.ts': 2 })],
      ['gone.test.ts', record({ 'a.ts': 1 })],
    ]);
    const first = withRecords(EMPTY, before, ['a.ts'], [...before.keys()]);
    const more = new Map([['y.test.ts', record({ 'a.ts': 4 })]]);
    const second = withRecords(first, more, ['a.ts'], ['x.test.ts', 'y.test.ts']);
    expect([...second.tests.keys()]).toEqual(['x.test.ts', 'y.test.ts']);
    expect(second.tests.get('y.test.ts')?.own).toEqual(new Set(['a.ts']));
  });
});
