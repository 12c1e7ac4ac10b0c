/** Reviews side by side: what they are compared as, in which order, and which questions differ. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  byDeckTime,
  chaptersBeside,
  type ComparedReview,
  differs,
  kindOf,
  widestChapter,
} from '../../../../domain/decks/compare/side-by-side.ts';
import { withVerdicts } from '../../../../domain/decks/verdicts/overlay.ts';
import type { HumanVerdict } from '../../../../domain/decks/verdicts/human-verdict.ts';
import type { AnalysisReport, ReportQuestion } from '../../../../domain/decks/report.ts';
import { forAll } from '../../../../testing/property.ts';
import { said } from '../../../../testing/said.ts';
import { reportWith } from '../../api/report-fixture.ts';
import { withFirstQuestion } from '../fixtures.ts';

const review = (report: AnalysisReport, verdicts: readonly HumanVerdict[] = []): ComparedReview => ({
  report,
  judged: withVerdicts(report, verdicts),
});

const withFirst = (change: (question: ReportQuestion) => ReportQuestion): AnalysisReport =>
  withFirstQuestion(reportWith('words'), change);

const firstOf = (...reviews: readonly ComparedReview[]) => {
  const question = chaptersBeside(reviews)[0]?.questions[0];
  if (question === undefined) throw new Error('no question');
  return question;
};

const one = { deckId: 'a', companyId: 'x' };
it.each([
  ['analyses of one deck', [one, one], 'runs'],
  ['decks of one company', [one, { deckId: 'b', companyId: 'x' }], 'versions'],
  ['a deck twice, and another of its company', [one, one, { deckId: 'b', companyId: 'x' }], 'versions'],
  ['decks of several companies', [one, { deckId: 'b', companyId: 'y' }], 'decks'],
  [
    'decks whose company is not known',
    [
      { deckId: 'a', companyId: null },
      { deckId: 'b', companyId: null },
    ],
    'decks',
  ],
  ['one review alone', [one], 'decks'],
] as const)('what reviews are compared as: %s', (_name, reviews, kind) => expect(kindOf(reviews)).toBe(kind));

describe('the order of decks in time', () => {
  const moment = fc.constantFrom('2026-01-05T10:00:00.000Z', '2026-06-05T10:00:00.000Z', '2027-01-05T10:00:00.000Z');
  const dated = fc.record({
    deckDate: fc.constantFrom(null, '2026', '2026-03', '2026-03-14', '2027-01'),
    createdAt: moment,
  });
  it('does not depend on the order in which they come', () =>
    forAll([fc.array(dated, { maxLength: 6 }), fc.array(fc.nat(), { minLength: 6, maxLength: 6 })], (decks, keys) => {
      const other = decks.map((deck, index) => [keys[index] ?? 0, deck] as const).toSorted(([a], [b]) => a - b);
      expect(other.map(([, deck]) => deck).toSorted(byDeckTime)).toEqual(decks.toSorted(byDeckTime));
    }));
  it('goes by the date on the deck before the upload', () => {
    const old = { deckDate: '2026-03', createdAt: '2026-11-02T10:00:00.000Z' };
    const recent = { deckDate: '2026-09', createdAt: '2026-11-01T10:00:00.000Z' };
    expect([recent, old].toSorted(byDeckTime)).toEqual([old, recent]);
  });
});

describe('a question of several reviews', () => {
  const base = (): ComparedReview => review(reportWith('words'));
  it('differs in its results by score and by whether there is an answer, in its words by what it says', () => {
    const scored = review(withFirst((q) => ({ ...q, score: 2 })));
    const silent = review(withFirst((q) => ({ ...q, answer: null, state: 'not_found' })));
    const reworded = review(withFirst((q) => ({ ...q, evidence: q.evidence.map((e) => ({ ...e, quote: 'others' })) })));
    const asked = [scored, silent].map((other) => differs(firstOf(base(), other), 'results'));
    expect(asked).toEqual([true, true]);
    expect(differs(firstOf(base(), reworded), 'results')).toBe(false);
    expect(differs(firstOf(base(), reworded), 'words')).toBe(true);
    expect(differs(firstOf(base(), base(), base()), 'words')).toBe(false);
  });

  it('that one review does not ask differs, and keeps its place', () => {
    const without = { ...reportWith('words'), chapters: reportWith('words').chapters.slice(1) };
    const chapters = chaptersBeside([base(), review(without)]);
    expect(chapters.map(({ key }) => key)).toEqual(['chapter_1', 'chapter_2', 'chapter_3', 'chapter_4']);
    expect(chapters[0]?.questions[0]?.cells[1]).toBeNull();
    expect(chapters[0]?.scores[1]).toBeNull();
    expect(differs(firstOf(base(), review(without)), 'results')).toBe(true);
  });

  it('has the score of a person in place of the one of the machine', () => {
    const verdict = said({ kind: 'score', subject: 'question/question_1', score: 1, reason: 'it is a forecast' });
    const cells = firstOf(base(), review(reportWith('words'), [verdict])).cells;
    expect(cells.map((cell) => [cell?.score, cell?.question.score, cell?.human?.author])).toEqual([
      [6, 6, undefined],
      [1, 6, 'Ada'],
    ]);
  });

  it('that two chapters ask stands in each of them', () => {
    const report = reportWith('words');
    const [first, second, ...rest] = report.chapters;
    if (first === undefined || second === undefined) throw new Error('the fixture has too few chapters');
    const twice = { ...report, chapters: [first, { ...second, questions: first.questions }, ...rest] };
    const chapters = chaptersBeside([review(twice), review(twice)]);
    expect(chapters.map(({ questions }) => questions.length)).toEqual([1, 1, 1, 1]);
  });
});

it('the chapter that differs most is the one with the widest scores', () => {
  const report = reportWith('words');
  const other = { ...report, chapters: report.chapters.map((c) => (c.slug === 'chapter_2' ? { ...c, score: 1 } : c)) };
  expect(widestChapter(chaptersBeside([review(report), review(other)]))).toEqual({ name: 'Chapter 2', spread: 3.5 });
  expect(widestChapter(chaptersBeside([review(report), review(report)]))).toBeNull();
});
