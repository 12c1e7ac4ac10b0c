/**
 * What a review says, in the order of a reader: score and summary, strengths, what is missing, contradictions, chapters, slides, and at the end
 * how it was made.
 */
import type { AnalysisReport } from '../../../../domain/decks/report.ts';
import { labelsOf } from '../labels.ts';
import type { ReviewDocument } from './blocks.ts';
import { chaptersSection, readingsSection } from './chapters-part.ts';
import { provenanceSection, slidesSection } from './closing.ts';
import { openPoints } from './open-points.ts';
import { headOf, strengthsSection, summarySection, titleOf } from './opening.ts';
import type { ReviewContext, Writing } from './writing.ts';

/** The document of a report, finished or not. */
export function reviewDocument(report: AnalysisReport, context: ReviewContext): ReviewDocument {
  const writing: Writing = { ...context, report, labels: labelsOf(report.language), shown: new Set() };
  return {
    language: report.language,
    title: titleOf(writing, report),
    head: headOf(writing),
    sections: [
      ...summarySection(writing),
      ...strengthsSection(writing),
      ...openPoints(writing),
      ...chaptersSection(writing),
      ...readingsSection(writing),
      ...slidesSection(writing),
      ...provenanceSection(writing),
    ],
    shownSlides: new Set(report.slides.map(({ number }) => number)),
    referredSlides: referredSlides(report),
  };
}

/** Numbers of the slides that the report refers to. */
export function referredSlides(report: AnalysisReport): Set<number> {
  const evidence = [
    ...report.extractions.flatMap((value) => value.evidence),
    ...report.chapters.flatMap((chapter) => chapter.questions.flatMap((question) => question.evidence)),
    ...report.specialised.flatMap((reading) => reading.evidence),
    ...report.contradictions.flatMap(({ first, second }) => [first, second]),
    ...report.steering,
  ];
  return new Set(evidence.map(({ slide }) => slide));
}
