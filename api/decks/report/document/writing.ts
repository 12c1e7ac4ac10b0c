/** What the parts of a review document share: the report, its words, and which quotes were shown. */
import type { AnalysisReport, ReportEvidence } from '../../../../domain/decks/report.ts';
import { isProof, notShownYet, slidesOf } from '../../../../domain/decks/review/proof.ts';
import type { HumanVerdict } from '../../../../domain/decks/verdicts/human-verdict.ts';
import type { VerdictSubject } from '../../../../domain/decks/verdicts/kinds.ts';
import type { JudgedReport } from '../../../../domain/decks/verdicts/overlay.ts';
import type { Labels } from '../labels.ts';
import type { Block, Entry, Line, Section, Span } from './blocks.ts';

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
  /** Keys of quotes that were shown: each is shown once. */
  readonly shown: Set<string>;
}

/** A section that is left out without blocks. */
export const section = (id: string, title: string, blocks: readonly Block[], folded = false): Section[] =>
  blocks.length === 0 ? [] : [{ id, title, blocks, folded }];

/** A list that is left out without entries. */
export const listOf = (entries: readonly Entry[]): Block[] => (entries.length === 0 ? [] : [{ is: 'list', entries }]);

/** An entry that is one line. */
export const entry = (...head: Line): Entry => ({ head, lines: [] });

/** A line in smaller type; none for a text that is not there. */
export const softLine = (text: string | null): Line[] => (text === null ? [] : [[{ soft: text }]]);

/** References to the slides of quotes; none without quotes. */
export function referencesTo(evidence: readonly Pick<ReportEvidence, 'slide' | 'quote'>[]): Span[] {
  const slides = slidesOf(evidence);
  return slides.length === 0 ? [] : [' ', { slides }];
}

/** Words of the deck with their slide. */
export const quoteOn = (slide: number, quote: string): Line => [{ quote }, ' ', { slides: [slide] }];

/** A quote with its slide. The verdict is said of quotes that other programs do not find in the text of the page. */
export function quoteLine({ slide, quote, verdict, reason }: ReportEvidence): Line {
  const said = quoteOn(slide, quote);
  return verdict === 'verified' ? said : [...said, ' ', { verdict, why: isProof({ verdict }) ? null : reason }];
}

/** Quotes that were not shown yet, and the slides of those that were. */
export function quoteLines({ labels, shown }: Writing, evidence: readonly ReportEvidence[]): Line[] {
  const fresh = new Set(notShownYet(evidence, shown));
  const again = evidence.filter((quote) => !fresh.has(quote));
  return [
    ...[...fresh].map(quoteLine),
    ...(again.length === 0 ? [] : [[{ soft: labels.quotedAbove }, ...referencesTo(again)]]),
  ];
}

/** Says which slides a value lacks; nothing for one that lacks none. */
export const lackingLine = (slides: readonly number[], { labels }: Writing): Line[] =>
  slides.length === 0 ? [] : [[{ soft: labels.computedWithout(slides) }]];

/** Who said it and when: `Ada, 2026-11-20`. */
export const saidBy = ({ author, createdAt }: HumanVerdict, { labels }: Writing): string =>
  labels.saidBy(author, createdAt.slice(0, 10));

/** Notes of people on something. */
export const noteLines = (writing: Writing, subjects: readonly VerdictSubject[]): Line[] =>
  writing.judged.notes
    .filter(({ subject }) => subjects.includes(subject))
    .map((note) => [{ strong: saidBy(note, writing) }, `: ${note.text ?? ''}`]);
