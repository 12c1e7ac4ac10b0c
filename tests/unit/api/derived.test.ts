import { expect, it } from 'vitest';
import { questionStatus } from '../../../api/decks/report/chapters.ts';
import { firstSentence, keyPoints, recommendations } from '../../../api/decks/report/derived.ts';
import { labelsOf } from '../../../api/decks/report/labels.ts';
import type { ReportChapter } from '../../../domain/decks/report.ts';
import { reportWith } from './report-fixture.ts';

const [base] = reportWith('Patients wait for months.').chapters;

/** A chapter with one question of that score and so many verified quotes. */
function chapter(slug: string, score: number | null, verified: number): ReportChapter {
  if (base === undefined) throw new Error('the fixture has no chapter');
  const [question] = base.questions;
  if (question === undefined) throw new Error('the fixture has no question');
  const evidence = Array.from({ length: verified }, () => ({
    slide: 1,
    quote: 'q',
    verdict: 'verified' as const,
    reason: null,
  }));
  return {
    ...base,
    slug,
    name: slug,
    score,
    questions: [{ ...question, slug: `${slug}_q`, score: score === null ? null : Math.round(score), evidence }],
  };
}

it('key points come from the best answers with at least one verified quote, at most five', () => {
  const chapters = [
    chapter('a', 7, 0),
    chapter('b', 5, 1),
    chapter('c', 6, 1),
    chapter('d', 6, 3),
    chapter('e', 3, 2),
    chapter('f', 4, 1),
    chapter('g', 7, 1),
    chapter('h', 5, 2),
  ];
  const points = keyPoints(chapters, 'en');
  expect(points.map((p) => p.chapter)).toEqual(['g', 'd', 'c', 'h', 'b']);
  expect(points.every((p) => p.text === 'Patients wait for months.')).toBe(true);
});

it('key points are none when nothing is proved', () =>
  expect(keyPoints([chapter('a', 7, 0), chapter('b', null, 2)], 'en')).toEqual([]));

it('key points are the first sentence, by the language’s own rules', () => {
  expect(firstSentence('We grew 2.5 times. Then more.', 'en')).toBe('We grew 2.5 times.');
  expect(firstSentence('Ohne Punkt', 'de')).toBe('Ohne Punkt');
  expect(firstSentence('', 'en')).toBe('');
});

it('recommendations name chapters below 4, weakest first, at most four', () => {
  const chapters = [3.9, 4, 1, null, 2, 0, 3].map((score, n) => chapter(`c${n}`, score, 1));
  expect(recommendations(chapters, labelsOf('en')).map((r) => [r.chapter, r.score])).toEqual([
    ['c5', 0],
    ['c2', 1],
    ['c4', 2],
    ['c6', 3],
  ]);
});

it('recommendations are written in the language of the analysis', () =>
  expect(recommendations([chapter('Markt', 2, 1)], labelsOf('de'))[0]?.text).toBe('„Markt“ stärken'));

it('state of a question follows the answer first, then the score', () => {
  expect(questionStatus(undefined)).toBe('pending');
  expect(questionStatus({ status: 'answered', scoreStatus: null })).toBe('answered');
  expect(questionStatus({ status: 'answered', scoreStatus: 'scored' })).toBe('scored');
  expect(questionStatus({ status: 'answered', scoreStatus: 'unparseable' })).toBe('unparseable');
  expect(questionStatus({ status: 'unparseable', scoreStatus: 'skipped' })).toBe('unparseable');
  expect(questionStatus({ status: 'failed', scoreStatus: null })).toBe('failed');
});
