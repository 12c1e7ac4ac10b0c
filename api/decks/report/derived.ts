/**
 * What a report says in short: key points and recommendations. Both are taken from what is stored; neither adds a word of its own
 * beyond the frame "strengthen …".
 */
import type { Language } from '../../../domain/models/model-tasks.ts';
import type { AnalysisReport, ReportChapter, ReportQuestion } from '../../../domain/decks/report.ts';
import { isProof } from '../../../domain/decks/review/proof.ts';
import type { Labels } from './labels.ts';

const MAX_KEY_POINTS = 5;
const MAX_RECOMMENDATIONS = 4;
/** A chapter below this gets a recommendation; an answer below it is no key point. */
const WEAK_BELOW = 4;

const verifiedCount = ({ evidence }: ReportQuestion): number => evidence.filter(isProof).length;

/** First sentence of an answer, by the language's own rules. */
export function firstSentence(text: string, language: Language): string {
  const trimmed = text.trim();
  const first = new Intl.Segmenter(language, { granularity: 'sentence' }).segment(trimmed)[Symbol.iterator]().next();
  return first.done === true ? trimmed : first.value.segment.trim();
}

/** The best-evidenced answers, at most one per chapter, in the order of their strength. Each has at least one verified quote. */
export function keyPoints(chapters: readonly ReportChapter[], language: Language): AnalysisReport['keyPoints'] {
  const best = chapters.flatMap((chapter) => {
    const candidates = chapter.questions
      .filter((q) => q.score !== null && q.score >= WEAK_BELOW && q.state === 'found' && verifiedCount(q) > 0)
      .toSorted((a, b) => (b.score ?? 0) - (a.score ?? 0) || verifiedCount(b) - verifiedCount(a));
    const top = candidates[0];
    if (top === undefined || top.answer === null || top.score === null) return [];
    return { question: top, answer: top.answer, score: top.score, chapter: chapter.slug };
  });
  return best
    .toSorted((a, b) => b.score - a.score || verifiedCount(b.question) - verifiedCount(a.question))
    .slice(0, MAX_KEY_POINTS)
    .map(({ question, answer, score, chapter }) => ({
      text: firstSentence(answer, language),
      chapter,
      question: question.slug,
      score,
      evidence: question.evidence.filter(isProof),
    }));
}

/** Chapters that need work, weakest first, with the questions below the line. A chapter without a score gets none. */
export function recommendations(chapters: readonly ReportChapter[], labels: Labels): AnalysisReport['recommendations'] {
  return chapters
    .flatMap((chapter) =>
      chapter.score !== null && chapter.score < WEAK_BELOW ? { chapter, score: chapter.score } : [],
    )
    .toSorted((a, b) => a.score - b.score)
    .slice(0, MAX_RECOMMENDATIONS)
    .map(({ chapter, score }) => ({
      chapter: chapter.slug,
      score,
      text: labels.strengthen(chapter.name),
      questions: chapter.questions.filter((q) => q.score !== null && q.score < WEAK_BELOW).map((q) => q.slug),
    }));
}
