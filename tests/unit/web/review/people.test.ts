/** What people say on the review page, before and after it is stored. */
import { describe, expect, it } from 'vitest';
import { currentVerdicts, withVerdicts } from '../../../../domain/decks/verdicts/overlay.ts';
import {
  humanVerdictSchema,
  newVerdictSchema,
  type HumanVerdict,
  type NewVerdict,
} from '../../../../domain/decks/verdicts/human-verdict.ts';
import { withoutPending, withPending } from '../../../../web/review/human/optimistic.ts';
import { verdictOfDraft } from '../../../../web/review/human/value-draft.ts';
import { reportWith } from '../../api/report-fixture.ts';

const NOW = '2026-11-26T10:00:00.000Z';
const say = (history: readonly HumanVerdict[], verdict: NewVerdict, number = 1) =>
  withPending(history, verdict, { author: 'Ann Archer', nowIso: NOW, number });

describe('what is said', () => {
  const all: NewVerdict[] = [
    { kind: 'value', subject: 'value/funding', text: '€2M', amount: 2e6, currency: 'EUR' },
    { kind: 'score', subject: 'question/question_1', score: 5, reason: 'They showed contracts.' },
    { kind: 'note', subject: 'slide/4', text: 'Ask for the study.' },
    { kind: 'tag', text: 'Series A', on: true },
    { kind: 'assignee', text: 'Ben' },
    { kind: 'decision', decision: 'meet' },
  ];

  it.each(all)('is shown at once as it will be stored: $kind', (verdict) => {
    const { history } = say([], verdict);
    expect(history.map((row) => humanVerdictSchema.parse(row))).toHaveLength(1);
    expect(currentVerdicts(history)).toHaveLength(1);
  });

  it('changes scores at once, and the score of the machine stays beside it', () => {
    const report = reportWith('Plain words');
    const { history } = say([], { kind: 'score', subject: 'question/question_1', score: 7 });
    const judged = withVerdicts(report, currentVerdicts(history)).questions.get('question_1');
    expect(judged).toMatchObject({ score: 7, machine: report.chapters[0]?.questions[0]?.score });
  });

  it('is taken back when it could not be stored, and what others said meanwhile stays', () => {
    const first = say([], { kind: 'tag', text: 'Series A', on: true }, 1);
    const second = say(first.history, { kind: 'tag', text: 'Munich', on: true }, 2);
    const left = withoutPending(second.history, first.id, null);
    expect(left.map(({ subject }) => subject)).toEqual(['Munich']);
  });

  it('is there once after it was stored, although the page has read it meanwhile', () => {
    const { history, id } = say([], { kind: 'decision', decision: 'later' });
    const [row] = history;
    if (row === undefined) throw new Error('nothing was said');
    const stored = { ...row, id: 'stored' };
    expect(withoutPending([...history, stored], id, stored)).toEqual([stored]);
    expect(withoutPending(history, id, stored)).toEqual([stored]);
  });

  it('withdraws what was said before', () => {
    const { history } = say([], { kind: 'decision', decision: 'pass' });
    const { history: after } = say(history, { kind: 'decision', decision: null }, 2);
    expect(currentVerdicts(after)).toEqual([]);
    expect(after).toHaveLength(2);
  });
});

describe('the form of a value', () => {
  const draft = { text: '', amount: '', currency: '', isoDate: '', reason: '' };
  const of = (field: string, part: Partial<typeof draft>) => verdictOfDraft(field, { ...draft, ...part }, 'analysis-1');

  it('says what the API takes', () => {
    const said = of('funding', { text: '€1.2M', amount: '1 200 000', currency: 'eur', reason: ' by mail ' });
    expect(said).toMatchObject({ text: '€1.2M', amount: 1_200_000, currency: 'EUR', reason: 'by mail' });
    expect(newVerdictSchema.safeParse(said).success).toBe(true);
  });

  it('takes the amount or the date as the words where there are none', () => {
    expect(of('funding', { amount: '500000,50', currency: 'CHF' })).toMatchObject({
      text: 'CHF 500000,50',
      amount: 500_000.5,
    });
    expect(of('deck_date', { isoDate: '2026-03' })).toMatchObject({ text: '2026-03', isoDate: '2026-03' });
  });

  it.each([
    ['nothing', {}],
    ['an amount that is none', { text: 'x', amount: '1.2M' }],
    ['a currency that is none', { text: 'x', currency: '€' }],
    ['a date that is none', { text: 'x', isoDate: 'March' }],
  ])('cannot be sent with %s', (_, part) => {
    expect(of('funding', part)).toBeNull();
  });
});
