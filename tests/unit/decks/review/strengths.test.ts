/** Strengths and weaknesses of a deck. */
import { expect, it } from 'vitest';
import { strengthsOf, weaknessesOf } from '../../../../domain/decks/review/strengths.ts';
import { provenance, reportWith, withQuestions } from '../../api/report-fixture.ts';

const report = reportWith('Plain words');
const point = (n: number): (typeof report.keyPoints)[number] => ({
  text: 'In short.',
  chapter: `chapter_${n}`,
  question: `question_${n}`,
  score: 6,
  evidence: report.chapters[0]?.questions[0]?.evidence.slice(0, 1) ?? [],
});

it('a strength names its question and slides, and its quotes where no stronger one has them', () => {
  const modelMade = withQuestions(report, () => ({ answerProvenance: { ...provenance, engineKind: 'ollama' } }));
  const strengths = strengthsOf({ ...modelMade, keyPoints: [point(1), point(2)] });
  expect(strengths.map(({ claim, text, slides, evidence }) => [claim, text, slides, evidence.length])).toEqual([
    ['question/question_1', 'In short.', [1], 1],
    ['question/question_2', 'In short.', [1], 0],
  ]);
});

it('a strength that rules found is said by its quotes', () =>
  expect(strengthsOf({ ...report, keyPoints: [point(1)] })).toMatchObject([
    { text: null, evidence: [{ quote: 'Plain words' }] },
  ]));

it('a weakness is a chapter with the questions that have low scores', () =>
  expect(weaknessesOf(report)).toEqual([
    { chapter: 'Chapter 3', score: 2.25, questions: ['Which problem is solved?'] },
  ]));
