/** Parts of reviews that tests of decks change. */
import type { AnalysisReport, ReportEvidence, ReportQuestion } from '../../../domain/decks/report.ts';
import { NOT_JUDGED, reportWith } from '../api/report-fixture.ts';

type Chapter = AnalysisReport['chapters'][number];

export const quoted = (quote: string, slide = 1, verdict: ReportEvidence['verdict'] = 'verified'): ReportEvidence => ({
  slide,
  quote,
  verdict,
  reason: null,
  boxes: null,
  ...NOT_JUDGED,
});

/** The first chapter of a report alone, with these questions: each is that of the fixture but for its changes. */
export const chapterAsking = (questions: readonly Partial<ReportQuestion>[]): Chapter[] =>
  withFirstQuestion(reportWith('x'), (base) => questions.map((each) => ({ ...base, ...each }))).chapters.slice(0, 1);

/** A report with other questions in place of the only one of its first chapter. */
export function withFirstQuestion(
  report: AnalysisReport,
  change: (question: ReportQuestion) => ReportQuestion | ReportQuestion[],
  changes: Partial<Chapter> = {},
): AnalysisReport {
  const [first, ...rest] = report.chapters;
  const [question] = first?.questions ?? [];
  if (first === undefined || question === undefined) throw new Error('the fixture has no question');
  return { ...report, chapters: [{ ...first, questions: [change(question)].flat(), ...changes }, ...rest] };
}
