/**
 * Everything that queue `fleet` offers: activities that speak to the provider or store what it said.
 */
import type { Client } from '@temporalio/client';
import type { CloudProvider } from '../../clouds/provider.ts';
import type { PoolConfig } from '../../domain/fleet/pool/pool-config.ts';
import type { PrismaClient } from '../../generated/prisma/client.ts';
import type { Config } from '../../platform/config.ts';
import type { Fleet } from '../../platform/fleet-config.ts';
import type { Logger } from '../../platform/log.ts';
import { BudgetCheck } from '../costs/budget/check-create.ts';
import { readPoolBudget } from '../costs/budget/pool-allowance.ts';
import { createHealthActivities } from '../health/activities.ts';
import type { HealthActivities } from '../health/contract.ts';
import { createInstanceActivities } from './instance/activities.ts';
import { BootMaterial } from './instance/boot-material.ts';
import type { InstanceActivities } from './instance/contract.ts';
import { createPoolActivities, type PoolActivities } from './pool/activities.ts';
import { createReaperActivities, type ReaperActivities } from './reaper/activities.ts';
import { Selection } from './selection/selection.ts';

export type FleetActivities = HealthActivities & InstanceActivities & PoolActivities & ReaperActivities;

export interface FleetActivitiesOptions {
  readonly db: PrismaClient;
  readonly provider: CloudProvider;
  readonly fleet: Fleet;
  readonly config: Pick<Config, 'models' | 'modelConcurrency'>;
  readonly temporal: Client;
  readonly log: Logger;
  /** OpenSSH line of the installation's key. */
  readonly publicKey: () => string;
  /** Script that prepares a machine of a pool at its first boot. */
  readonly startupScript: (pool: PoolConfig) => Promise<string>;
}

export function createFleetActivities(options: FleetActivitiesOptions): FleetActivities {
  const { db, provider, fleet, config, temporal, log, publicKey, startupScript } = options;
  const { installationId, availabilityTtlMs } = fleet;
  const budget = new BudgetCheck({ db, capabilities: provider.capabilities, accounting: fleet.accounting });
  return {
    ...createInstanceActivities({
      db,
      budget,
      provider,
      log,
      selection: new Selection({ db, provider, config, log, timing: { availabilityTtlMs } }),
      material: new BootMaterial({ db, provider, installationId, publicKey, startupScript }),
    }),
    ...createPoolActivities(db, readPoolBudget({ db, budget, fleet, now: () => new Date() })),
    ...createHealthActivities({ db, temporal, settings: fleet.health }),
    ...createReaperActivities({ db, provider, fleet, temporal, log, startupScript }),
  };
}
