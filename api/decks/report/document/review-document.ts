/**
 * What a review says, in the order of a reader: score and summary, strengths, what is missing, contradictions, chapters, slides, and at the end
 * how it was made.
 */
import type { AnalysisReport } from '../../../../domain/decks/report.ts';
import { withJudgements } from '../../../../domain/decks/verdicts/judgement.ts';
import { labelsOf } from '../labels.ts';
import type { Document } from '../../../document/blocks.ts';
import { chaptersSection, readingsSection } from './chapters-part.ts';
import { provenanceSection, slidesSection } from './closing.ts';
import { openPoints } from './open-points.ts';
import { headOf, strengthsSection, titleOf } from './opening.ts';
import { summarySection } from './summary-part.ts';
import type { ReviewContext, Writing } from './writing.ts';

/** The document of a report, finished or not. People's judgements stand above the machine's. */
export function reviewDocument(machineReport: AnalysisReport, context: ReviewContext): Document {
  const { judgements, values } = context.judged;
  const confirmed = [...values.values()].flatMap(({ human }) => (human === null ? [] : [human]));
  const report = withJudgements(machineReport, [...judgements.values(), ...confirmed]);
  const writing: Writing = { ...context, report, labels: labelsOf(report.language), shown: new Map() };
  return {
    language: report.language,
    title: `${writing.labels.review}: ${titleOf(writing, report)}`,
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
  };
}
