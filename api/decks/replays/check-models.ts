/** Whether the models a replay asks for can answer, asked before anything is started. */
import type { Analysis, PrismaClient } from '../../../generated/prisma/client.ts';
import { DeckhandError } from '../../../domain/errors.ts';
import { MODEL_TASK_NAMES } from '../../../domain/models/model-tasks.ts';
import type { ModelOverrideRow } from '../../../domain/decks/replay/choices.ts';
import { refuseOverride } from '../../../domain/decks/replay/override.ts';
import { memberOf } from '../../../domain/text/member-of.ts';

/**
 * Looks at the models of the analysis' profile and at the pools that are kept.
 *
 * @throws DeckhandError `model_not_configured`, `model_lacks_vision`
 */
export async function checkOverrides(
  db: PrismaClient,
  { tenantId, modelProfile }: Analysis,
  overrides: readonly ModelOverrideRow[],
): Promise<void> {
  if (overrides.length === 0) return;
  const [configurations, pools] = await Promise.all([
    db.modelConfiguration.findMany({ where: { tenantId, profile: modelProfile } }),
    db.fleetPool.findMany({ where: { nextLookAt: { not: null } }, select: { name: true, classes: true } }),
  ]);
  const known = configurations.flatMap((c) => {
    const task = memberOf(MODEL_TASK_NAMES, c.task);
    return task === null ? [] : [{ task, modelName: c.modelName }];
  });
  for (const { task: name, modelName } of overrides) {
    const task = memberOf(MODEL_TASK_NAMES, name);
    const refusal = task === null ? null : refuseOverride(task, modelName, known, pools);
    if (refusal === null) continue;
    const { code, message, hint } = refusal;
    throw new DeckhandError(code, message, { userMessage: message, hint });
  }
}
