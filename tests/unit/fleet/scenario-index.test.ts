/** The list of fault scenarios and the titles of tests that cite it say the same. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const TESTS = path.resolve(import.meta.dirname, '../..');
const ROW = /^\| (?<number>\d+) \| (?<fault>[^|]+) \| (?<holds>[^|]+) \| (?<citing>[^|]+) \|$/gmu;
/** A title that begins with its scenario; a test that is skipped or still to be written does not count. */
const TITLE = /(?<!\.(?:skip|todo)\(\s*)['"`]scenario (\d+):/gu;

const list = readFileSync(path.join(TESTS, 'SCENARIOS.md'), 'utf8');
const rows = [...list.matchAll(ROW)].map(({ groups }) => ({
  number: Number(groups?.['number']),
  citing: (groups?.['citing'] ?? '').split('<br>').map((file) => file.slice(1, -1)),
}));

/** Test files by the scenario that their titles cite. */
function citations(): Map<number, string[]> {
  const found = new Map<number, string[]>();
  const files = readdirSync(TESTS, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.test.ts'));
  for (const file of files.toSorted()) {
    const titles = readFileSync(path.join(TESTS, file), 'utf8').matchAll(TITLE);
    for (const number of new Set([...titles].map((title) => Number(title[1]))))
      found.set(number, [...(found.get(number) ?? []), file]);
  }
  return found;
}

describe('tests/SCENARIOS.md', () => {
  const cited = citations();

  it('has a row for each of the scenarios, numbered without a gap', () =>
    expect(rows.map(({ number }) => number)).toEqual(Array.from({ length: 54 }, (_, index) => index + 1)));

  it('has a row for every number that a title cites', () => {
    const listed = new Set(rows.map(({ number }) => number));
    expect([...cited].filter(([number]) => !listed.has(number))).toEqual([]);
  });

  it.each(rows)('names exactly the test files whose titles cite scenario $number', ({ number, citing }) => {
    expect(citing).toEqual(cited.get(number) ?? []);
  });
});
