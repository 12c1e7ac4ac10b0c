import { expect, it } from 'vitest';
import { budgetLines, renderTestTable, type FileOutcome } from '../../../cli/test/table.ts';

const PASSED = { passed: 3, failed: 0, failures: [], skipped: 0, durationMs: 1_500 };
const file = (suite: string, name: string, values: Partial<FileOutcome> = {}): FileOutcome => ({
  suite,
  file: `tests/${suite}/${name}.test.ts`,
  ...PASSED,
  ...values,
});

it('the table has one row per suite, the slowest files first, each failure, and a closing line with the counts', () => {
  const files = [
    file('unit', 'money', { durationMs: 250 }),
    file('unit', 'ledger', { failed: 1, failures: ['a month is a period: expected 1 to be 2'] }),
    file('fleet', 'pool', { durationMs: 61_000, skipped: 2 }),
  ];
  expect(renderTestTable(files)).toMatchInlineSnapshot(`
    "suite  files  passed  failed  skipped  seconds
    unit       2       6       1        0      1.8
    fleet      1       3       0        2     61.0
    all        3       9       1        2     62.8

    slowest files (seconds)
        61.0  tests/fleet/pool.test.ts
         1.5  tests/unit/ledger.test.ts
         0.3  tests/unit/money.test.ts

    failed: tests/unit/ledger.test.ts: a month is a period: expected 1 to be 2

    Tests: 9 passed, 1 failed, 2 skipped"
  `);
});

it('only the ten slowest files are listed', () => {
  const many = Array.from({ length: 30 }, (_, index) => file('unit', `f${index}`, { durationMs: index * 1_000 }));
  const listed = renderTestTable(many).match(/tests\/unit\/f\d+/gu);
  expect(listed).toEqual(Array.from({ length: 10 }, (_, index) => `tests/unit/f${29 - index}`));
});

it('A fast tier over its budget says so, and names the files that take more than 20 seconds', () => {
  const files = [file('unit', 'a', { durationMs: 20_000 }), file('e2e', 'b', { durationMs: 21_000 })];
  expect(budgetLines(files, 500_000)).toEqual([
    'fast tier: 500.0 s of 600.0 s',
    'over 20.0 s: tests/e2e/b.test.ts (21.0 s)',
  ]);
  expect(budgetLines([], 601_000)).toEqual(['fast tier: 601.0 s of 600.0 s: over its budget']);
});
