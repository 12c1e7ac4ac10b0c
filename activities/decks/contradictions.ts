/** Compares what the slides of a reviewed deck say and stores where they contradict each other. */
import { randomUUID } from 'node:crypto';
import { RENDER_KEY } from '../../domain/decks/render-key.ts';
import { shownValue } from '../../domain/decks/review/absence.ts';
import type { PrismaClient } from '../../generated/prisma/client.ts';
import { findContradictions, type Contradiction } from '../../domain/evidence/contradictions.ts';
import type { Transaction } from '../../platform/db.ts';

interface ReviewedDeck {
  /** Of the analysis. */
  readonly id: string;
  readonly tenantId: string;
  readonly deckId: string;
}

/** The contradictions of an analysis. Takes seconds for a hostile deck, so it is called outside of transactions. */
export async function readContradictions(
  db: PrismaClient,
  { id: analysisId, deckId }: ReviewedDeck,
): Promise<Contradiction[]> {
  const slides = await db.slide.findMany({
    where: { deckId, renderKey: RENDER_KEY },
    orderBy: { number: 'asc' },
    select: { number: true, text: true },
  });
  const asked = await db.extraction.findUnique({
    where: { analysisId_field: { analysisId, field: 'funding' } },
    select: { status: true, raw: true, evidence: { where: { verdict: 'verified' }, orderBy: { position: 'asc' } } },
  });
  const value = asked === null ? null : shownValue(asked);
  return findContradictions(
    slides.map(({ number, text }) => ({ slide: number, text })),
    value === null
      ? []
      : (asked?.evidence ?? []).map(({ slideNumber, quote }) => ({ slide: slideNumber, quote, value })),
  );
}

/** Stores the contradictions of an analysis anew. */
export async function storeContradictions(
  tx: Transaction,
  { id: analysisId, tenantId }: ReviewedDeck,
  found: readonly Contradiction[],
): Promise<void> {
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
