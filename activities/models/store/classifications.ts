/**
 * Row of the sector classification.
 */
import { randomUUID } from 'node:crypto';
import type { ClassifySectorOutput } from '../../../domain/models/model-tasks.ts';
import type { StoreScope } from './apply-result.ts';

/** Stores the sector with the model's own confidence; whether it reaches the sector's minimum is said beside it, never corrected. */
export async function storeClassification(scope: StoreScope, output: ClassifySectorOutput): Promise<void> {
  const { tx, context, resultId } = scope;
  const { tenantId, analysisId } = context;
  const sector = await tx.sector.findUnique({
    where: { tenantId_slug: { tenantId, slug: output.sector } },
    select: { minConfidencePercent: true },
  });
  const columns = {
    status: 'classified',
    sectorSlug: output.sector,
    secondarySlug: output.secondarySector === 'none' ? null : output.secondarySector,
    confidence: output.confidencePercent / 100,
    confident: output.confidencePercent >= (sector?.minConfidencePercent ?? 0),
    reasoning: output.reasoning,
    keywords: output.keywords,
    reason: null,
    modelResultId: resultId,
  };
  await tx.classification.upsert({
    where: { analysisId },
    create: { id: randomUUID(), tenantId, analysisId, ...columns },
    update: columns,
  });
}
