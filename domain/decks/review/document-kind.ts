/** The first sentence of a review on a document that is no pitch deck. Without a library at run time: the pages of the workspace import it. */
import type { Language } from '../../models/model-tasks.ts';
import type { AnalysisReport, ReportEvidence } from '../report.ts';
import { isProof } from './proof.ts';
import { reviewWords } from './words.ts';

/** A document that is no pitch deck. */
export interface OtherDocument {
  /** `This is not a pitch deck but a form` */
  readonly text: string;
  /** Words that show it, where they stand on their slide; null where none do. */
  readonly quote: ReportEvidence | null;
}

/** Of a document that is no pitch deck, what it is and why; null for a pitch deck, and as long as it is not known. */
export function otherDocument(
  { profile: { document } }: Pick<AnalysisReport, 'profile'>,
  language: Language,
): OtherDocument | null {
  if (document === null || document.kind === 'pitch_deck') return null;
  return {
    text: reviewWords[language].otherDocument[document.kind],
    quote: document.evidence.find(isProof) ?? null,
  };
}

/** Kind and reason as one sentence: `This is not a pitch deck but a form: “Application form” (slide 2).` */
export function otherDocumentText(report: Pick<AnalysisReport, 'profile'>, language: Language): string | null {
  const other = otherDocument(report, language);
  if (other === null) return null;
  const { text, quote } = other;
  return quote === null ? `${text}.` : `${text}: ${reviewWords[language].quoteOn(quote.slide, quote.quote)}.`;
}
