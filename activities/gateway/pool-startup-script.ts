/** The startup script of a pool's machines: the models its classes need under its profile, and this installation's key. */
import type { PrismaClient } from '../../generated/prisma/client.ts';
import type { PoolConfig } from '../../domain/fleet/pool/pool-config.ts';
import { startupScript } from '../../domain/fleet/startup-script/startup-script.ts';
import type { Config } from '../../platform/config.ts';
import type { Fleet } from '../../clouds/fleet.ts';
import { requiredModels } from '../models/host/required-models.ts';
import { vllmModel } from '../models/host/vllm-model.ts';
import { installationKey } from './keys.ts';

/** What the script is made from. */
export interface PoolScriptDeps {
  readonly db: PrismaClient;
  readonly config: Config;
  readonly fleet: Fleet;
  /** What `mount -t nfs` takes for a shared volume; null = it is not known now, and machines are set up without it. */
  readonly nfsSource?: (volumeId: string) => Promise<string | null>;
}

/** The script; the same text for the same pool, model set and release. */
export async function poolStartupScript(deps: PoolScriptDeps, pool: PoolConfig): Promise<string> {
  const { db, config, fleet } = deps;
  const shared = pool.sharedFilesystem;
  const source = shared === null ? null : (shared.source ?? (await deps.nfsSource?.(shared.volumeId)) ?? null);
  const profile = pool.models ?? config.models;
  const models = await requiredModels(db, profile, pool.classes);
  const vllm = pool.engine === 'vllm' ? await vllmModel(db, profile, pool.classes) : null;
  return startupScript({
    publicKey: installationKey(config.home, fleet.installationId).publicKey,
    models: models.map((model) => model.name),
    parallel: config.modelConcurrency,
    loadTimeoutMs: Math.max(0, ...models.map((model) => model.loadTimeoutMs)),
    deadManMs: fleet.deadManMs,
    ...(vllm === null ? {} : { vllm }),
    ...(source === null ? {} : { cache: { source, mountPath: shared?.mountPath ?? '' } }),
  });
}
