/**
 * Rows of the specialised readings.
 */
import { randomUUID } from 'node:crypto';
import type { SpecialisedAnalysisOutput, SpecialisedKind } from '../../../domain/models/model-tasks.ts';
import type { StoreScope } from './apply-result.ts';
import { replaceEvidence } from './evidence.ts';

/** Stores one specialised reading with its points and checked quotes. */
export async function storeSpecialised(
  scope: StoreScope,
  kind: SpecialisedKind,
  output: SpecialisedAnalysisOutput,
): Promise<void> {
  const { tx, context, resultId } = scope;
  const { tenantId, analysisId } = context;
  const columns = {
    status: 'analysed',
    covered: output.covered,
    summary: output.summary,
    reason: null,
    modelResultId: resultId,
  };
  const { id } = await tx.specialisedAnalysis.upsert({
    where: { analysisId_kind: { analysisId, kind } },
    create: { id: randomUUID(), tenantId, analysisId, kind, ...columns },
    update: columns,
    select: { id: true },
  });
  await tx.specialisedPoint.deleteMany({ where: { specialisedId: id } });
  if (output.points.length > 0) {
    await tx.specialisedPoint.createMany({
      data: output.points.map((point, position) => ({
        id: randomUUID(),
        tenantId,
        specialisedId: id,
        position,
        ...point,
      })),
    });
  }
  await replaceEvidence(scope, { specialisedId: id }, output.evidence);
}
