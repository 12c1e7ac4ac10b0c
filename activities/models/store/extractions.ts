/**
 * Rows of extracted values: the words of the deck, money and dates normalised by rule, quotes checked against slide and value.
 */
import { randomUUID } from 'node:crypto';
import { parseDeckDate } from '../../../domain/decks/deck-date.ts';
import type { ExtractionField, ExtractValueOutput } from '../../../domain/models/model-tasks.ts';
import { parseMoney } from '../../../domain/evidence/money.ts';
import { checkValueQuote } from '../../../domain/evidence/value-check.ts';
import type { StoreScope } from './apply-result.ts';
import { replaceEvidence } from './evidence.ts';

interface Normalised {
  readonly amount: number | null;
  readonly currency: string | null;
  readonly isoDate: string | null;
}

function normalise(field: ExtractionField, raw: string): Normalised {
  const money = field === 'funding' ? parseMoney(raw) : null;
  return {
    amount: money?.amount ?? null,
    currency: money?.currency ?? null,
    isoDate: field === 'deck_date' ? parseDeckDate(raw) : null,
  };
}

/** Stores a value, or that the deck does not state it. Nothing stands in for a value that is not there. */
export async function storeExtraction(
  scope: StoreScope,
  field: ExtractionField,
  output: ExtractValueOutput,
): Promise<void> {
  const { tx, context, resultId } = scope;
  const { tenantId, analysisId } = context;
  const value = output.value.trim();
  const stated = output.stated && value !== '';
  const columns = {
    status: stated ? 'stated' : 'not_stated',
    raw: stated ? value : null,
    ...(stated ? normalise(field, value) : { amount: null, currency: null, isoDate: null }),
    reason: null,
    modelResultId: resultId,
  };
  const { id } = await tx.extraction.upsert({
    where: { analysisId_field: { analysisId, field } },
    create: { id: randomUUID(), tenantId, analysisId, field, ...columns },
    update: columns,
    select: { id: true },
  });
  await replaceEvidence(scope, { extractionId: id }, stated ? output.evidence : [], (quote, page) =>
    checkValueQuote(field, value, quote, page),
  );
}
