/** Findings about models and speeds of machines, as the API shows them. */
import { readCatalog } from '../../activities/models/catalog/read.ts';
import { speedOfRow } from '../../activities/models/probes/store.ts';
import { isFinal, phasesThat } from '../../domain/fleet/phases.ts';
import type { PrismaClient } from '../../generated/prisma/client.ts';
import { DeckhandError } from '../../domain/errors.ts';
import { closestName } from '../../domain/text/closest-name.ts';
import { findingWords, modelFindingsSchema } from '../../domain/models/probes/findings.ts';
import type { ProbesDocument } from './schemas.ts';

/**
 * Findings of a model, or of all, and the speeds of the machines that there are. "phi4" is "phi4:latest".
 *
 * @throws DeckhandError `not_found` for a model that is not configured
 */
export async function probesDocument(db: PrismaClient, model: string | undefined): Promise<ProbesDocument> {
  const where = model === undefined ? {} : { modelName: { in: [model, `${model}:latest`] } };
  const [probes, speeds, over] = await Promise.all([
    db.modelProbe.findMany({ where, orderBy: [{ checkedAt: 'desc' }, { modelName: 'asc' }] }),
    db.machineSpeed.findMany({ where, orderBy: [{ modelName: 'asc' }, { instanceName: 'asc' }] }),
    db.fleetInstance.findMany({ where: { phase: { in: phasesThat(isFinal) } }, select: { name: true } }),
  ]);
  if (model !== undefined && probes.length === 0 && speeds.length === 0) await refuseUnknown(db, model);
  const gone = new Set(over.map(({ name }) => name));
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
    machines: speeds
      .filter((row) => !gone.has(row.instanceName))
      .map((row) => ({
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

/** @throws DeckhandError `not_found` for a model that is not configured */
async function refuseUnknown(db: PrismaClient, wanted: string): Promise<void> {
  const names = (await readCatalog(db)).catalog.models.map(({ name }) => name);
  if (names.includes(wanted) || names.includes(`${wanted}:latest`)) return;
  const near = closestName(wanted, names);
  const message = `There is no model "${wanted}".`;
  throw new DeckhandError('not_found', message, {
    userMessage: near === null ? message : `${message} Did you mean ${near}?`,
    hint: `Models: ${names.join(', ')}.`,
  });
}
