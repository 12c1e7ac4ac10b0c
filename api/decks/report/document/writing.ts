/** What the parts of a review document share: the report, its words, and which quotes were shown. */
import type { AnalysisReport, ReportEvidence, ReportVerdict } from '../../../../domain/decks/report.ts';
import { lineMark, type Mark, quoteMark } from '../../../../domain/decks/review/marks.ts';
import { reasonText, rereadReasonText } from '../../../../domain/decks/review/reason-words.ts';
import { isProof, isWithdrawn, quoteKey, slidesOf } from '../../../../domain/decks/review/proof.ts';
import type { HumanVerdict } from '../../../../domain/decks/verdicts/human-verdict.ts';
import type { Language } from '../../../../domain/models/model-tasks.ts';
import { judgementOn } from '../../../../domain/decks/verdicts/judgement.ts';
import type { VerdictSubject } from '../../../../domain/decks/verdicts/kinds.ts';
import type { JudgedReport } from '../../../../domain/decks/verdicts/overlay.ts';
import type { Line, Span, Tone } from '../../../document/blocks.ts';
import { formatScore, scoreTone } from '../format.ts';
import type { Labels } from '../labels.ts';

/** What a document says beside the report. */
export interface ReviewContext {
  /** What people say. */
  readonly judged: JudgedReport;
  /** Of the GPUs for this analysis; null where nothing was settled. */
  readonly costUsd: number | null;
}

/** A document while it is written. */
export interface Writing extends ReviewContext {
  readonly report: AnalysisReport;
  readonly labels: Labels;
  /** Under which name each quote was shown, by its key: each is shown once. */
  readonly shown: Map<string, string>;
}

/** A score, with what it is of where one points at it. That of rules counts evidence, so no colour judges it. */
export function scoreMark(
  score: number | null,
  { report, labels }: Pick<Writing, 'report' | 'labels'>,
  digits: 0 | 1,
  isByPerson = false,
): Span {
  const isEvidence = score !== null && !isByPerson && report.engine?.kind === 'rules';
  const text = formatScore(score, labels, digits);
  return {
    mark: isEvidence ? `${labels.evidence.score} ${text}` : text,
    tone: isEvidence ? 'none' : scoreTone(score),
    short: score === null ? labels.noScore : labels.decimal(score, digits),
  };
}

/** A line in smaller type; none for a text that is not there. */
export const softLine = (text: string | null): Line[] => (text === null ? [] : [[{ soft: text }]]);

/** References to the slides of quotes; none without quotes. */
export function referencesTo(evidence: readonly Pick<ReportEvidence, 'slide' | 'quote'>[]): Span[] {
  const slides = slidesOf(evidence);
  return slides.length === 0 ? [] : [' ', { slides }];
}

/** Words of the deck with their slide. */
export const quoteOn = (slide: number, quote: string): Line => [{ quote }, ' ', { slides: [slide] }];

/** A quote with its slide and both marks, and what became of it: moved to this slide, read again. */
export function quoteLine({ report, labels }: Pick<Writing, 'report' | 'labels'>, quote: ReportEvidence): Line {
  const { verdict, citedSlide } = quote;
  // Of a withdrawn quote the second reading is the reason.
  const reason = isProof(quote) || isWithdrawn(quote) ? null : reasonText(quote.reason, report.language);
  const why = [
    ...(reason === null ? [] : [reason]),
    ...(citedSlide === null ? [] : [labels.movedFrom(citedSlide)]),
    ...rereadNote(quote, report.language, labels),
  ];
  return [
    ...quoteOn(quote.slide, quote.quote),
    ' ',
    isProof(quote) ? quoteMarks(quote, report, labels) : verdictMark(verdict, labels),
    ...why.flatMap((text): Span[] => [' ', { soft: text }]),
  ];
}

function rereadNote(quote: ReportEvidence, language: Language, labels: Labels): string[] {
  const { reread, rereadReason } = quote;
  if (reread === null || reread === 'agreed') return [];
  const outcome = labels.reread[reread](rereadReasonText(rereadReason, language));
  return [reread === 'withdrawn' && !isWithdrawn(quote) ? `${outcome}; ${labels.calledRight}` : outcome];
}

/** Both marks of a quote that stands on its slide: `found on the slide (OCR), answers the question`. */
function quoteMarks(quote: ReportEvidence, { marks }: AnalysisReport, labels: Labels): Span {
  const { verdict, answering } = quote;
  return {
    mark: `${labels[verdict]}, ${labels.answering[answering ?? 'not_judged']}`,
    tone: MARK_TONES[quoteMark(quote, marks.rule)],
  };
}

const MARK_TONES: Readonly<Record<Mark, Tone>> = {
  settled: 'good',
  on_slide: 'medium',
  not_judged: 'none',
  doubtful: 'weak',
  not_proved: 'weak',
};

const VERDICT_TONES: Readonly<Record<ReportVerdict, Tone>> = {
  verified: 'none',
  verified_ocr: 'none',
  unverified: 'medium',
  glued: 'medium',
  contradicted: 'weak',
};

/** A verdict on a quote, without what it answers. */
export const verdictMark = (verdict: ReportVerdict, labels: Labels): Span => ({
  mark: labels[verdict],
  tone: VERDICT_TONES[verdict],
});

/** Both marks of a line; nothing for a line without quotes. */
export function lineMarks(
  { report, labels }: Pick<Writing, 'report' | 'labels'>,
  evidence: readonly ReportEvidence[],
): Span[] {
  const mark = lineMark(evidence, report.marks.rule);
  return mark === null ? [] : [' ', { mark: labels.marks[mark], tone: MARK_TONES[mark] }];
}

/** Quotes that were not shown yet; from now on they are, under a name. */
export function notShownYet(
  { shown }: Pick<Writing, 'shown'>,
  evidence: readonly ReportEvidence[],
  name: string,
): ReportEvidence[] {
  return evidence.filter((quote) => {
    const key = quoteKey(quote);
    if (shown.has(key)) return false;
    shown.set(key, name);
    return true;
  });
}

/** Quotes that were not shown yet, and of the others under which names they stand, with their slides. @param name of what they are evidence of */
export function quoteLines(writing: Writing, evidence: readonly ReportEvidence[], name: string): Line[] {
  const { labels, shown } = writing;
  const again = evidence.filter((quote) => shown.has(quoteKey(quote)));
  const names = new Set(again.flatMap((quote) => shown.get(quoteKey(quote)) ?? []));
  const fresh = notShownYet(writing, evidence, name);
  const lead = fresh.length === 0 ? labels.sameEvidence : labels.alsoEvidence;
  return [
    ...fresh.map((quote) => quoteLine(writing, quote)),
    ...(again.length === 0 ? [] : [[{ soft: `${lead} ${[...names].join(' · ')}` }, ...referencesTo(again)]]),
  ];
}

/** Says which slides a value lacks; nothing for one that lacks none. */
export const lackingLine = (slides: readonly number[], { labels }: Writing): Line[] =>
  slides.length === 0 ? [] : [[{ soft: labels.computedWithout(slides) }]];

/** Who said it and when: `Ada, 2026-11-20`. */
export const saidBy = ({ author, createdAt }: HumanVerdict, { labels }: Writing): string =>
  labels.saidBy(author, createdAt.slice(0, 10));

/**
 * Who called a claim right or wrong; its marks follow them. None where nobody did, or other words of the machine were meant.
 *
 * @param text what the machine says: the value, the answer or the summary
 */
export function judgementLines(writing: Writing, claim: VerdictSubject, text: string | null): Line[] {
  const { labels, judged } = writing;
  const human = judged.judgements.get(claim);
  const judgement = human === undefined ? null : judgementOn([human], claim, text);
  if (human === undefined || judgement === null) return [];
  return [
    [
      { strong: `${saidBy(human, writing)}: ` },
      labels.judgements[judgement],
      human.reason === null ? '' : ` – ${human.reason}`,
    ],
  ];
}

/** Notes of people on something. */
export const noteLines = (writing: Writing, subjects: readonly VerdictSubject[]): Line[] =>
  writing.judged.notes
    .filter(({ subject }) => subjects.includes(subject))
    .map((note) => [{ strong: saidBy(note, writing) }, `: ${note.text ?? ''}`]);
