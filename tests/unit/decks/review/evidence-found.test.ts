/** How many questions have evidence: the headline of reviews that rules made. */
import { expect, it } from 'vitest';
import type { ReportQuestion } from '../../../../domain/decks/report.ts';
import { evidenceFound, leadsWithEvidence } from '../../../../domain/decks/review/evidence-found.ts';
import { missingText } from '../../../../domain/decks/review/words.ts';
import { quoteFrom } from '../../../../testing/profile.ts';
import { forAll } from '../../../../testing/property.ts';
import { reportWith } from '../../api/report-fixture.ts';
import { withFirstQuestion } from '../fixtures.ts';
import { anyReport } from './arbitrary-report.ts';

const ANSWERS = quoteFrom(1, 'Hospitals pay', { answering: 'high' });
const BEARS = quoteFrom(2, 'Nurses call', { answering: 'some' });

/** The counts of a chapter with these questions. */
function countsOf(questions: readonly Partial<ReportQuestion>[]) {
  const report = withFirstQuestion(reportWith('x'), (base) =>
    questions.map((each, index) => ({ ...base, slug: `q${index}`, evidence: [ANSWERS], ...each })),
  );
  const { found, asked, missing } = evidenceFound({ ...report, chapters: report.chapters.slice(0, 1) });
  return { found, asked, missing: missing.map(({ slug }) => slug) };
}

it('a question has evidence where its quotes stand on their slides and answer it', () => {
  const questions = [
    {},
    { state: 'stated_absent' as const },
    { evidence: [BEARS] },
    { evidence: [{ ...ANSWERS, verdict: 'contradicted' as const }] },
    { answer: null, state: 'not_found' as const, evidence: [] },
    { state: 'not_supported' as const },
  ];
  expect(countsOf(questions)).toEqual({ found: 2, asked: 6, missing: ['q2', 'q3', 'q4', 'q5'] });
});

it('a question that is not computed is not said to be missing in the deck', () => {
  const none = { answer: null, state: null, evidence: [] };
  expect(
    countsOf([
      { ...none, status: 'pending' },
      { ...none, status: 'failed' },
      { ...none, status: 'unreadable' },
      { ...none, status: 'not_asked' },
    ]),
  ).toEqual({ found: 0, asked: 2, missing: [] });
});

it('each asked question is found, missing or not computed, and the chapters add up', () =>
  forAll([anyReport], (report) => {
    const { found, asked, missing, chapters } = evidenceFound(report);
    const sum = (of: 'found' | 'asked' | 'missing'): number =>
      chapters.reduce((total, chapter) => total + chapter[of], 0);
    expect([sum('found'), sum('asked'), sum('missing')]).toEqual([found, asked, missing.length]);
    expect(found + missing.length).toBeLessThanOrEqual(asked);
    for (const chapter of chapters) expect(chapter.asked).toBeGreaterThan(0);
  }));

it('the evidence leads where rules answered something and whether quotes answer was judged', () => {
  const { marks, engine, chapters } = reportWith('x');
  const counts = (onSlide: number, notJudged: number) => ({ ...marks, onSlide, notJudged });
  expect(leadsWithEvidence({ chapters, engine, marks: counts(4, 1) })).toBe(true);
  expect(leadsWithEvidence({ chapters, engine, marks: counts(0, 0) })).toBe(true);
  expect(leadsWithEvidence({ chapters, engine, marks: counts(4, 4) })).toBe(false);
  expect(leadsWithEvidence({ chapters, engine: engine && { ...engine, kind: 'ollama' }, marks: counts(4, 1) })).toBe(
    false,
  );
  expect(leadsWithEvidence({ chapters: [], engine, marks: counts(0, 0) })).toBe(false);
  expect(leadsWithEvidence({ chapters, engine: null, marks: counts(4, 1) })).toBe(false);
});

it('chapters are told by how much they lack, those that lack nothing are left out', () => {
  const chapter = (name: string, missing: number) => ({ slug: name, name, found: 5 - missing, asked: 5, missing });
  const chapters = [chapter('Market', 1), chapter('Team', 0), chapter('Finance', 4)];
  expect(missingText(chapters, 'en')).toBe('Missing: Finance (4), Market (1)');
  expect(missingText(chapters, 'de')).toBe('Es fehlen: Finance (4), Market (1)');
  expect(missingText([chapter('Team', 0)], 'en')).toBeNull();
});
