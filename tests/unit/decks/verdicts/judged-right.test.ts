/** Lines that a person called right. */
import { expect, it } from 'vitest';
import { judgementOn } from '../../../../domain/decks/verdicts/judgement.ts';
import type { VerdictSubject } from '../../../../domain/decks/verdicts/kinds.ts';
import { currentVerdicts } from '../../../../domain/decks/verdicts/overlay.ts';
import { said } from '../../../../testing/said.ts';

const machine = new Map<VerdictSubject, string | null>([
  ['value/funding', '€4.2M'],
  ['value/company_name', 'Velhain'],
  ['value/deck_date', null],
  ['question/team_composition', 'Six people.'],
]);
const value = (sequence: number, field: string, text: string | null) =>
  said({ kind: 'value', sequence, subject: `value/${field}`, text });
const judgement = (
  sequence: number,
  text: string | null,
  machine = 'Six people.',
  subject = 'question/team_composition',
) =>
  said({
    kind: 'judgement',
    sequence,
    subject,
    text,
    machine: { text: machine, score: null },
  });
const right = (...rows: ReturnType<typeof said>[]) => {
  const held = currentVerdicts(rows);
  return [...machine].flatMap(([subject, text]) => (judgementOn(held, subject, text) === 'right' ? [subject] : []));
};

it('a value is judged right while the newest correction of it are the words of the machine', () => {
  expect(right()).toEqual([]);
  expect(right(value(1, 'funding', ' €4.2M '))).toEqual(['value/funding']);
  expect(right(value(2, 'funding', '€9M'), value(1, 'funding', '€4.2M'))).toEqual([]);
  expect(right(value(1, 'funding', '€4.2M'), value(2, 'funding', null))).toEqual([]);
  expect(right(value(1, 'deck_date', ''), value(2, 'company_name', 'Velhain'))).toEqual(['value/company_name']);
});

it('a line is judged right while the newest judgement on these words is "right"', () => {
  expect(right(judgement(1, 'right'))).toEqual(['question/team_composition']);
  expect(right(judgement(2, 'wrong'), judgement(1, 'right'))).toEqual([]);
  expect(right(judgement(1, 'right'), judgement(2, null))).toEqual([]);
  expect(right(judgement(1, 'right', 'Five people.'))).toEqual([]);
});

it('a judgement on the words of a value that is not taken back decides, and not an older or newer confirmation', () => {
  const funding = (sequence: number, text: string | null) => judgement(sequence, text, '€4.2M', 'value/funding');
  expect(right(value(1, 'funding', '€4.2M'), funding(2, 'wrong'))).toEqual([]);
  expect(right(funding(1, 'wrong'), value(2, 'funding', '€4.2M'))).toEqual([]);
  expect(right(value(1, 'funding', '€4.2M'), funding(2, 'wrong'), funding(3, null))).toEqual(['value/funding']);
});
