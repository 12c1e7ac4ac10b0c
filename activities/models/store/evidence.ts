/**
 * Evidence rows: the quotes of a claim with a verdict each, checked against the page's text layer.
 */
import { randomUUID } from 'node:crypto';
import type { EvidenceItem } from '../../../domain/models/model-tasks.ts';
import { checkQuote, type QuoteCheck } from '../../../domain/evidence/quote-check.ts';
import { RENDER_KEY } from '../../../domain/decks/render-key.ts';
import type { StoreScope } from './apply-result.ts';

/** The claim that quotes belong to; exactly one id is set. */
export type EvidenceOwner =
  | { readonly extractionId: string }
  | { readonly answerId: string }
  | { readonly specialisedId: string };

/**
 * Replaces the evidence of a claim. Empty quotes are dropped: they claim nothing.
 *
 * @param check How a quote is judged; by default it has to stand on its slide.
 */
export async function replaceEvidence(
  scope: StoreScope,
  owner: EvidenceOwner,
  items: readonly EvidenceItem[],
  check: (quote: string, pageText: string) => QuoteCheck = checkQuote,
): Promise<void> {
  const { tx, context } = scope;
  await tx.evidence.deleteMany({ where: owner });
  const quotes = items.filter((e) => e.quote.trim() !== '');
  if (quotes.length === 0) return;
  const slides = await tx.slide.findMany({
    where: { deckId: context.deckId, renderKey: RENDER_KEY, number: { in: quotes.map((q) => q.slide) } },
    select: { number: true, text: true },
  });
  const textOf = new Map(slides.map((s) => [s.number, s.text]));
  await tx.evidence.createMany({
    data: quotes.map((item, position) => {
      const text = textOf.get(item.slide);
      const { verdict, reason }: QuoteCheck =
        text === undefined
          ? { verdict: 'contradicted', reason: `the deck has no slide ${item.slide}` }
          : check(item.quote, text);
      return {
        id: randomUUID(),
        tenantId: context.tenantId,
        ...owner,
        position,
        slideNumber: item.slide,
        quote: item.quote,
        verdict,
        reason,
      };
    }),
  });
}
