/**
 * The startup script of a pool's machines: the models its classes need under the active profile, and this installation's key.
 */
import type { PrismaClient } from '../../generated/prisma/client.ts';
import type { PoolConfig } from '../../domain/fleet/pool/pool-config.ts';
import { startupScript } from '../../domain/fleet/startup-script/startup-script.ts';
import type { Config } from '../../platform/config.ts';
import type { Fleet } from '../../clouds/fleet.ts';
import { requiredModels } from '../models/host/required-models.ts';
import { installationKey } from './keys.ts';

/** The script; the same text for the same pool, model set and release. */
export async function poolStartupScript(
  deps: { readonly db: PrismaClient; readonly config: Config; readonly fleet: Fleet },
  pool: PoolConfig,
): Promise<string> {
  const { db, config, fleet } = deps;
  const models = await requiredModels(db, config.models, pool.classes);
  return startupScript({
    publicKey: installationKey(config.home, fleet.installationId).publicKey,
    models: models.map((model) => model.name),
    parallel: config.modelConcurrency,
    loadTimeoutMs: Math.max(0, ...models.map((model) => model.loadTimeoutMs)),
    deadManMs: fleet.deadManMs,
  });
}
