/** Where the results of a review come from. Without a library at run time: the pages of the workspace import it. */
import type { AnalysisReport, Provenance } from './report.ts';

/** Every provenance of a review: of its values, slides, answers, scores and readings. */
export function provenancesOf(report: AnalysisReport): Provenance[] {
  const questions = report.chapters.flatMap((chapter) => chapter.questions);
  return [
    ...report.slides.flatMap((slide) => [slide.descriptionProvenance, slide.feedbackProvenance]),
    ...report.extractions.map((value) => value.provenance),
    report.sector.provenance,
    ...questions.flatMap((question) => [question.answerProvenance, question.scoreProvenance]),
    ...report.specialised.map((reading) => reading.provenance),
    report.profile.provenance,
  ].filter((provenance) => provenance !== null);
}

/** Hosts outside the network that results of a review come from, in alphabetical order. */
export const outsideHostsOf = (report: AnalysisReport): string[] =>
  [...new Set(provenancesOf(report).flatMap(({ outsideHost }) => outsideHost ?? []))].toSorted();
