/** Values that a person called right. */
import { expect, it } from 'vitest';
import { valuesJudgedRight } from '../../../../domain/decks/verdicts/judged-right.ts';

it('a value is judged right while the newest thing said of it are the words of the machine', () => {
  const machine = new Map([
    ['funding', '€4.2M'],
    ['company_name', 'Velhain'],
    ['deck_date', null],
  ]);
  const said = (sequence: number, field: string, text: string | null) => ({
    sequence,
    subject: `value/${field}`,
    text,
  });
  const right = (...rows: ReturnType<typeof said>[]) => [...valuesJudgedRight(rows, machine)];
  expect(right()).toEqual([]);
  expect(right(said(1, 'funding', ' €4.2M '))).toEqual(['value/funding']);
  expect(right(said(2, 'funding', '€9M'), said(1, 'funding', '€4.2M'))).toEqual([]);
  expect(right(said(1, 'funding', '€4.2M'), said(2, 'funding', null))).toEqual([]);
  expect(right(said(1, 'deck_date', ''), said(2, 'company_name', 'Velhain'))).toEqual(['value/company_name']);
});
