/** Each thing that is known to go wrong with rented GPUs has a test that bears its number. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const TESTS = path.resolve(import.meta.dirname, '../..');
/** A title that begins with its scenario; a test that is skipped or still to be written does not count. */
const TITLE = /^\s*(?:it|test)\(\s*'scenario (\d+): /gmu;

const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, i) => from + i);
const WANTED = [...range(1, 37), ...range(40, 53)];

it('every scenario has a test', () => {
  const found = readdirSync(TESTS, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .flatMap((file) => [...readFileSync(path.join(TESTS, file), 'utf8').matchAll(TITLE)])
    .map(([, number]) => Number(number));
  expect(WANTED.filter((number) => !found.includes(number))).toEqual([]);
});
