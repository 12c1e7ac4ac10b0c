/** Parts of reviews that tests of decks change, and what people say of them. */
import type { AnalysisReport, ReportEvidence, ReportQuestion } from '../../../domain/decks/report.ts';
import type { HumanVerdict } from '../../../domain/decks/verdicts/human-verdict.ts';
import { reportWith } from '../api/report-fixture.ts';

type Chapter = AnalysisReport['chapters'][number];

export const quoted = (quote: string, slide = 1, verdict: ReportEvidence['verdict'] = 'verified'): ReportEvidence => ({
  slide,
  quote,
  verdict,
  reason: null,
  boxes: null,
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

let rows = 0;
/** A verdict of a person, after everything that was said before; a withdrawal where it says nothing. */
export function said(values: Partial<HumanVerdict>): HumanVerdict {
  rows += 1;
  const verdict: HumanVerdict = {
    id: `row-${rows}`,
    sequence: rows,
    kind: 'value',
    subject: 'deck',
    item: '',
    text: null,
    amount: null,
    currency: null,
    isoDate: null,
    score: null,
    reason: null,
    withdrawn: false,
    machine: { text: null, score: null },
    analysisId: null,
    author: 'Ada',
    createdAt: '2026-11-21T12:00:00.000Z',
    ...values,
  };
  return { ...verdict, withdrawn: verdict.text === null && verdict.score === null };
}
