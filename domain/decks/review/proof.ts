/** Quotes as proof. Without a library at run time: the pages of the workspace import it. */
import type { ReportEvidence, ReportVerdict } from '../report.ts';

/** True for a quote that proves something: the page says so, whether in its text layer or in its picture. */
export const isProof = ({ verdict }: { readonly verdict: ReportVerdict }): boolean =>
  verdict === 'verified' || verdict === 'verified_ocr';

/** True for a quote that the second reading withdrew and that no person restored. */
export const isWithdrawn = ({ verdict, reread }: Pick<ReportEvidence, 'verdict' | 'reread'>): boolean =>
  reread === 'withdrawn' && !isProof({ verdict });

/** Quotes that prove something before those that do not, each in its order. */
export const proofFirst = <Q extends { readonly verdict: ReportVerdict }>(evidence: readonly Q[]): Q[] => [
  ...evidence.filter(isProof),
  ...evidence.filter((quote) => !isProof(quote)),
];

/** The words of a quote and where they stand. */
type Quote = Pick<ReportEvidence, 'slide' | 'quote'>;

/** Numbers of the slides of quotes, each once, in order. */
export const slidesOf = (evidence: readonly Quote[]): number[] =>
  [...new Set(evidence.map(({ slide }) => slide))].toSorted((a, b) => a - b);

/** The same for the same words on the same slide, however they are set. */
export const quoteKey = ({ slide, quote }: Quote): string =>
  `${slide} ${quote.normalize('NFC').replaceAll(/\s+/gu, ' ').trim()}`;

/**
 * Leaves out quotes that were shown before, so that a page shows each once.
 *
 * @param shown keys of what was shown; those of the quotes that are returned are added
 */
export function notShownYet<Q extends Quote>(evidence: readonly Q[], shown: Set<string>): Q[] {
  return evidence.filter((quote) => {
    const key = quoteKey(quote);
    if (shown.has(key)) return false;
    shown.add(key);
    return true;
  });
}
