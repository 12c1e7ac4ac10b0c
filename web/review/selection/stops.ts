/**
 * The places of a review that a reader goes to, in the order of the page: facts, strengths, contradictions, warnings, answers, readings. Each has
 * the quotes that are lit on the slides. The same quote is written out at the first place that has it; later places refer to it.
 */
import type { Box } from '../../../domain/pages/page.ts';
import type { AnalysisReport, ReportEvidence, ReportVerdict } from '../../../domain/decks/report.ts';
import { lineMark, type Mark } from '../../../domain/decks/review/marks.ts';
import type { MarkRule } from '../../../domain/evidence/answering-settings.ts';
import { otherDocument } from '../../../domain/decks/review/document-kind.ts';
import { proofFirst, quoteKey } from '../../../domain/decks/review/proof.ts';
import { strengthsOf, type Strength } from '../../../domain/decks/review/strengths.ts';
import { summaryOf, type SummaryTopic } from '../../../domain/decks/review/summary.ts';
import { machineTexts } from '../../../domain/decks/verdicts/judgement.ts';
import type { VerdictSubject } from '../../../domain/decks/verdicts/kinds.ts';
import { subjectOf } from '../../../domain/decks/verdicts/subject.ts';

/** The part of a quote that says how far it is to be trusted; all null where nothing was checked. */
type Checked = Pick<ReportEvidence, 'answering' | 'answeringBy' | 'citedSlide' | 'reread' | 'rereadReason'>;

const UNCHECKED: Checked = { answering: null, answeringBy: null, citedSlide: null, reread: null, rereadReason: null };

/** Words of a slide that a place refers to. */
export interface StopQuote extends Checked {
  readonly slide: number;
  /** Null for a place that is about the slide as a whole. */
  readonly quote: string | null;
  /** Null where nothing was checked: the words are the program's own reading of the slide. */
  readonly verdict: ReportVerdict | null;
  readonly reason: string | null;
  readonly boxes: readonly Readonly<Box>[] | null;
  /** Key of the earlier place of the page that has written it out; null where there is none. */
  readonly writtenAt: string | null;
}

/**
 * Kind of a place: what shows that the document is no pitch deck, a fact of the summary, a strength, one of two statements that contradict each other … `unsupported`: an answer that its own
 * check does not support, which is kept among the questions without an answer.
 */
export type StopKind =
  | 'document'
  | 'fact'
  | 'strength'
  | 'contradiction'
  | 'steering'
  | 'invisible'
  | 'answer'
  | 'unsupported'
  | 'reading';

/** One place. */
export interface Stop {
  /** Unique on the page, and the claim in its address: `question/churn_analysis`, `profile/team/2`, `contradiction/1`. */
  readonly key: string;
  readonly kind: StopKind;
  /** What a person's verdict on it is about; null where that is only the slide. */
  readonly subject: VerdictSubject | null;
  /** By its quotes; null where nothing of it was checked. */
  readonly mark: Mark | null;
  readonly quotes: readonly StopQuote[];
}

/** What the page shows of a report, computed once per report. */
export interface ReviewModel {
  readonly topics: readonly SummaryTopic[];
  readonly strengths: readonly Strength[];
  /** In the order of the page. */
  readonly stops: readonly Stop[];
  readonly byKey: ReadonlyMap<string, Stop>;
  /** Words of the machine by the claim that a person can judge. */
  readonly said: ReadonlyMap<VerdictSubject, string>;
}

export const DOCUMENT_KEY = 'document';
export const strengthKey = (claim: string): string => `strength/${claim}`;
export const contradictionKey = (index: number): string => `contradiction/${index + 1}`;
export const steeringKey = (index: number): string => `steering/${index + 1}`;
export const invisibleKey = (slide: number): string => `invisible/${slide}`;

/** Places before it is known which of their quotes are written out. */
type Draft = Omit<Stop, 'quotes'> & {
  readonly quotes: readonly Omit<StopQuote, 'writtenAt'>[];
  readonly isWritten: boolean;
};

/** Builds what the page shows. */
export function reviewModel(report: AnalysisReport): ReviewModel {
  const topics = summaryOf(report);
  const strengths = strengthsOf(report);
  const { rule } = report.marks;
  const other = otherDocument(report, report.language)?.quote ?? null;
  const drafts: Draft[] = [
    ...(other === null ? [] : [draft(DOCUMENT_KEY, 'document', null, [other], { rule, isWritten: false })]),
    ...topics.flatMap(({ facts }) =>
      facts.map(({ claim, key, evidence, verbatim }) =>
        draft(key, 'fact', claim, evidence, { rule, isWritten: verbatim }),
      ),
    ),
    // Of a strength only the slides are shown: its quotes stand in its chapter.
    ...strengths.map(({ claim, evidence }) =>
      draft(strengthKey(claim), 'strength', claim, evidence, { rule, isWritten: false }),
    ),
    ...report.contradictions.map(({ first, second }, index) =>
      unchecked(
        contradictionKey(index),
        'contradiction',
        [first, second].map(({ slide, quote }) => ({ slide, quote })),
      ),
    ),
    ...report.steering.map(({ slide, text }, index) =>
      unchecked(steeringKey(index), 'steering', [{ slide, quote: text }]),
    ),
    ...report.slides.flatMap(({ number, invisibleText }) =>
      invisibleText === null ? [] : [unchecked(invisibleKey(number), 'invisible', [{ slide: number, quote: null }])],
    ),
    ...report.chapters.flatMap((chapter) =>
      chapter.questions.map(({ slug, state, evidence }) => {
        const subject = subjectOf({ of: 'question', slug });
        // It is folded, so that a quote of it is written out wherever else it stands.
        return state === 'not_supported'
          ? draft(subject, 'unsupported', subject, evidence, { rule, isWritten: false })
          : draft(subject, 'answer', subject, evidence, { rule, isWritten: true });
      }),
    ),
    ...report.specialised.map(({ kind, evidence }) => {
      const subject = subjectOf({ of: 'reading', reading: kind });
      return draft(subject, 'reading', subject, evidence, { rule, isWritten: true });
    }),
  ];
  const stops = writtenOnce(drafts.filter(({ quotes }) => quotes.length > 0));
  return {
    topics,
    strengths,
    stops,
    byKey: new Map(stops.map((stop) => [stop.key, stop])),
    said: machineTexts(report),
  };
}

function draft(
  key: string,
  kind: StopKind,
  subject: string | null,
  evidence: readonly ReportEvidence[],
  { rule, isWritten }: { readonly rule: MarkRule; readonly isWritten: boolean },
): Draft {
  return { key, kind, subject, mark: lineMark(evidence, rule), quotes: proofFirst(evidence), isWritten };
}

function unchecked(
  key: string,
  kind: StopKind,
  places: readonly { readonly slide: number; readonly quote: string | null }[],
): Draft {
  const quotes = places.map((place) => ({ ...place, ...UNCHECKED, verdict: null, reason: null, boxes: null }));
  return { key, kind, subject: null, mark: null, quotes, isWritten: false };
}

/** Marks each quote at the first place that writes it out. Both sides of a contradiction are always written out beside each other. */
function writtenOnce(drafts: readonly Draft[]): Stop[] {
  const written = new Map<string, string>();
  return drafts.map(({ isWritten, quotes, ...stop }) => ({
    ...stop,
    quotes: quotes.map((quote) => {
      if (!isWritten || quote.quote === null) return { ...quote, writtenAt: null };
      const key = quoteKey({ slide: quote.slide, quote: quote.quote });
      const writtenAt = written.get(key) ?? null;
      if (writtenAt === null) written.set(key, stop.key);
      return { ...quote, writtenAt };
    }),
  }));
}

/** The place after, or before, another; the first or last one where there is none yet. Null at the end. */
export function neighbourOf(stops: readonly Stop[], key: string | null, step: 1 | -1): Stop | null {
  const at = stops.findIndex((stop) => stop.key === key);
  if (at === -1) return (step === 1 ? stops[0] : stops.at(-1)) ?? null;
  return stops[at + step] ?? null;
}

/** Where an address leads: the place of its claim, that quote of it, and the slide; the first slide where it says nothing. */
export function placeOf(
  { byKey }: Pick<ReviewModel, 'byKey'>,
  { claim, quote, slide }: { readonly claim?: string; readonly quote?: number; readonly slide?: number },
): { readonly stop: string | null; readonly quote: number; readonly slide: number } {
  const stop = claim === undefined ? undefined : byKey.get(claim);
  if (stop === undefined) return { stop: null, quote: 0, slide: slide ?? 1 };
  const at = quote === undefined || quote > stop.quotes.length ? 0 : quote - 1;
  return { stop: stop.key, quote: at, slide: slide ?? stop.quotes[at]?.slide ?? 1 };
}
