/** Compares what the slides of a finished review say and stores where they contradict each other. */
import { randomUUID } from 'node:crypto';
import { RENDER_KEY } from '../../domain/decks/render-key.ts';
import { findContradictions } from '../../domain/evidence/contradictions.ts';
import type { Transaction } from '../../platform/db.ts';

/** Stores the contradictions of an analysis anew. */
export async function storeContradictions(
  tx: Transaction,
  { id: analysisId, tenantId, deckId }: { readonly id: string; readonly tenantId: string; readonly deckId: string },
): Promise<void> {
  const slides = await tx.slide.findMany({
    where: { deckId, renderKey: RENDER_KEY },
    orderBy: { number: 'asc' },
    select: { number: true, text: true },
  });
  const asked = await tx.extraction.findUnique({
    where: { analysisId_field: { analysisId, field: 'funding' } },
    select: { raw: true, evidence: { where: { verdict: 'verified' }, orderBy: { position: 'asc' } } },
  });
  const value = asked?.raw ?? null;
  const found = findContradictions(
    slides.map(({ number, text }) => ({ slide: number, text })),
    value === null
      ? []
      : (asked?.evidence ?? []).map(({ slideNumber, quote }) => ({ slide: slideNumber, quote, value })),
  );
  await tx.contradiction.deleteMany({ where: { analysisId } });
  await tx.contradiction.createMany({
    data: found.map(({ kind, subject, first, second }, position) => ({
      id: randomUUID(),
      tenantId,
      analysisId,
      position,
      kind,
      subject,
      firstSlide: first.slide,
      firstQuote: first.quote,
      firstValue: first.value,
      secondSlide: second.slide,
      secondQuote: second.quote,
      secondValue: second.value,
    })),
  });
}
