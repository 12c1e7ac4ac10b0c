/**
 * How a found date is compared with the truth.
 */
import { expect, it } from 'vitest';
import { dateAgrees } from '../../../samples/generator/truth.ts';

it.each([
  ['2026-03', 'month', '2026-03', true],
  ['2026-03', 'month', '2026-03-01', true],
  ['2026-03', 'month', '2026-04', false],
  ['2026-03', 'month', '2026', false],
  ['2026-03-15', 'day', '2026-03-15', true],
  ['2026-03-15', 'day', '2026-03', true],
  ['2026-03-15', 'day', '2026-03-16', false],
  ['2026-01', 'quarter', '2026-03-31', true],
  ['2026-01', 'quarter', '2026-04', false],
  ['2026', 'year', '2026-05', true],
  ['2026', 'year', '2025-05', false],
] as const)('dateAgrees: %s (%s) against %s: %s', (date, datePrecision, found, agrees) => {
  expect(dateAgrees({ date, datePrecision }, found)).toBe(agrees);
});

it('dateAgrees takes no value for right only where the truth has none', () => {
  expect(dateAgrees({ date: null, datePrecision: null }, null)).toBe(true);
  expect(dateAgrees({ date: null, datePrecision: null }, '2026-03')).toBe(false);
  expect(dateAgrees({ date: '2026-03', datePrecision: 'month' }, null)).toBe(false);
});
