/**
 * How much of what a review asks is proved by the deck: the headline of a review that rules made, which find and do not judge.
 *
 * Without a library at run time: the pages of the workspace import it.
 */
import { isUnasked } from '../unread.ts';
import type { AnalysisReport, ReportQuestion } from '../report.ts';
import { absenceOfQuestion } from './absence.ts';
import { hasEvidence } from './has-evidence.ts';

/** Questions of a chapter that were asked, and how many of them have evidence. */
export interface ChapterEvidence {
  readonly slug: string;
  readonly name: string;
  readonly found: number;
  readonly asked: number;
  readonly missing: number;
}

/** Questions with evidence, of those asked. */
export interface EvidenceFound {
  readonly found: number;
  readonly asked: number;
  /** Asked questions without evidence, in the order of the review; those that are not computed are left out. */
  readonly missing: readonly Pick<ReportQuestion, 'slug' | 'text'>[];
  /** Chapters of which something was asked, in the order of the review. */
  readonly chapters: readonly ChapterEvidence[];
}

type Reviewed = Pick<AnalysisReport, 'chapters'> & { readonly marks: Pick<AnalysisReport['marks'], 'rule'> };

/** Counts the questions with an answer whose quotes stand on their slides and answer the question. */
export function evidenceFound({ chapters, marks: { rule } }: Reviewed): EvidenceFound {
  const isFound = (question: ReportQuestion): boolean => hasEvidence(question, rule);
  const counted = chapters.flatMap(({ slug, name, questions }) => {
    const asked = questions.filter((question) => !isUnasked(question) && question.status !== 'not_asked');
    const missing = asked.filter((question) => !isFound(question) && isComputed(question));
    return asked.length === 0
      ? []
      : [{ slug, name, asked: asked.length, found: asked.filter(isFound).length, missing }];
  });
  const sum = (of: 'found' | 'asked'): number => counted.reduce((total, chapter) => total + chapter[of], 0);
  return {
    found: sum('found'),
    asked: sum('asked'),
    missing: counted.flatMap(({ missing }) => missing.map(({ slug, text }) => ({ slug, text }))),
    chapters: counted.map((chapter) => ({ ...chapter, missing: chapter.missing.length })),
  };
}

function isComputed(question: ReportQuestion): boolean {
  const absence = absenceOfQuestion(question);
  return absence !== 'pending' && absence !== 'failed';
}

/**
 * True where the evidence leads and not the score: rules answered, something was asked, and whether quotes answer was judged. Of reviews from
 * before that was judged nothing could be counted.
 */
export const leadsWithEvidence = (report: Reviewed & Pick<AnalysisReport, 'engine' | 'marks'>): boolean =>
  report.engine?.kind === 'rules' &&
  (report.marks.onSlide === 0 || report.marks.notJudged < report.marks.onSlide) &&
  evidenceFound(report).asked > 0;
