/** Findings about models and speeds of machines, as the API shows them. */
import { speedOfRow } from '../../activities/models/probes/store.ts';
import type { PrismaClient } from '../../generated/prisma/client.ts';
import { findingWords, modelFindingsSchema } from '../../domain/models/probes/findings.ts';
import type { ProbesDocument } from './schemas.ts';

/** Findings and speeds of a model, or of all. "phi4" is "phi4:latest". */
export async function probesDocument(db: PrismaClient, model: string | undefined): Promise<ProbesDocument> {
  const where = model === undefined ? {} : { modelName: { in: [model, `${model}:latest`] } };
  const [probes, speeds] = await Promise.all([
    db.modelProbe.findMany({ where, orderBy: [{ checkedAt: 'desc' }, { modelName: 'asc' }] }),
    db.machineSpeed.findMany({ where, orderBy: [{ modelName: 'asc' }, { instanceName: 'asc' }] }),
  ]);
  return {
    models: probes.flatMap(({ modelName, digest, serverVersion, checkedAt, findings: stored }) => {
      // Findings of another version of Deckhand are found anew at the next readiness check.
      const findings = modelFindingsSchema.safeParse(stored);
      if (!findings.success) return [];
      return [
        {
          model: modelName,
          digest,
          serverVersion,
          checkedAt: checkedAt.toISOString(),
          findings: findings.data,
          table: findingWords(findings.data),
        },
      ];
    }),
    machines: speeds.map((row) => ({
      instance: row.instanceName,
      model: row.modelName,
      digest: row.digest,
      ...speedOfRow(row),
      needFinding: row.needFinding,
      samples: row.samples,
      measuredAt: row.measuredAt.toISOString(),
    })),
  };
}
