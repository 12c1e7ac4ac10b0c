/** Where a deck is strong and where it is weak, from the key points and recommendations of its report. Without a library at run time. */
import type { AnalysisReport, ReportEvidence } from '../report.ts';
import { subjectOf } from '../verdicts/subject.ts';
import type { VerdictSubject } from '../verdicts/kinds.ts';
import { notShownYet, proofFirst, slidesOf } from './proof.ts';
import { statementOf } from './statement.ts';

/** A well evidenced answer with a high score. */
export interface Strength {
  readonly claim: VerdictSubject;
  /** Name of the chapter. */
  readonly chapter: string;
  /** Text of the question. */
  readonly question: string;
  readonly score: number;
  /** What the deck says on it; null where rules answered: their answers are the quotes. */
  readonly text: string | null;
  /** Quotes that prove it, none that an earlier strength has. */
  readonly evidence: readonly ReportEvidence[];
  /** Slides that prove it, in order. */
  readonly slides: readonly number[];
}

/** A chapter with a low score. */
export interface Weakness {
  /** Name of the chapter. */
  readonly chapter: string;
  readonly score: number;
  /** Texts of the questions with low scores. */
  readonly questions: readonly string[];
}

/** The best answers of a report, at most one of a chapter and five in all, strongest first. */
export function strengthsOf(report: AnalysisReport): Strength[] {
  const shown = new Set<string>();
  return report.keyPoints.flatMap((point) => {
    const chapter = report.chapters.find(({ slug }) => slug === point.chapter);
    const question = chapter?.questions.find(({ slug }) => slug === point.question);
    if (chapter === undefined || question === undefined) return [];
    return {
      claim: subjectOf({ of: 'question', slug: question.slug }),
      chapter: chapter.name,
      question: question.text,
      score: point.score,
      text: statementOf(question)?.verbatim === true ? null : point.text,
      evidence: notShownYet(proofFirst(point.evidence), shown),
      slides: slidesOf(point.evidence),
    };
  });
}

/** Chapters with low scores, weakest first, at most four. */
export function weaknessesOf(report: AnalysisReport): Weakness[] {
  return report.recommendations.flatMap(({ chapter: slug, score, questions }) => {
    const chapter = report.chapters.find((each) => each.slug === slug);
    if (chapter === undefined) return [];
    const texts = chapter.questions.filter((each) => questions.includes(each.slug)).map(({ text }) => text);
    return { chapter: chapter.name, score, questions: texts };
  });
}
