/**
 * Everything that queue `fleet` offers: activities that speak to the provider or store what it said.
 */
import type { Client } from '@temporalio/client';
import { Accounts } from '../../clouds/accounts.ts';
import { deployerOf } from '../../clouds/providers.ts';
import type { PoolConfig } from '../../domain/fleet/pool/pool-config.ts';
import type { PrismaClient } from '../../generated/prisma/client.ts';
import type { Config } from '../../platform/config.ts';
import type { Fleet } from '../../clouds/fleet.ts';
import type { Logger } from '../../platform/log.ts';
import { cautiousOf } from '../costs/budget/reservation-terms.ts';
import { BudgetCheck } from '../costs/budget/check-create.ts';
import { readPoolBudget } from '../costs/budget/pool-allowance.ts';
import { createHealthActivities } from '../health/activities.ts';
import type { HealthActivities } from '../health/contract.ts';
import { createEndpointActivities, type EndpointActivities } from './endpoint/activities.ts';
import type { Endpoints } from './endpoint/endpoints.ts';
import { createInstanceActivities } from './instance/activities.ts';
import { BootMaterial } from './instance/boot-material.ts';
import { sharing } from './instance/shared-filesystem.ts';
import type { InstanceActivities } from './instance/contract.ts';
import { createPoolActivities, type PoolActivities } from './pool/activities.ts';
import { createReaperActivities, type ReaperActivities } from './reaper/activities.ts';
import { Selection } from './selection/selection.ts';

export type FleetActivities = HealthActivities &
  InstanceActivities &
  PoolActivities &
  ReaperActivities &
  EndpointActivities;

export interface FleetActivitiesOptions {
  readonly db: PrismaClient;
  readonly accounts: Accounts;
  /** Deployments of endpoint pools. */
  readonly endpoints: Endpoints;
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
  const { db, accounts, endpoints, fleet, config, temporal, log, publicKey, startupScript } = options;
  const { installationId, availabilityTtlMs } = fleet;
  const budget = new BudgetCheck({
    db,
    capabilities: cautiousOf(rentedFrom(accounts, fleet)),
    accounting: fleet.accounting,
  });
  const materials = new Map(
    accounts.all.map((provider) => [
      provider.name,
      new BootMaterial({ db, provider, installationId, publicKey, startupScript }),
    ]),
  );
  return {
    ...createInstanceActivities({
      db,
      budget,
      accounts,
      endpoints,
      installationId,
      log,
      onSeen: sharing({ db, accounts, fleet, log }),
      selection: new Selection({ db, accounts, config, log, timing: { availabilityTtlMs } }),
      material: (name) => {
        const material = materials.get(accounts.of(name).name);
        if (material === undefined) throw new RangeError(`no boot material for ${name}`);
        return material;
      },
    }),
    ...createPoolActivities(
      db,
      fleet.accounting.timezone,
      readPoolBudget({ db, budget, fleet, now: () => new Date() }),
    ),
    ...createEndpointActivities(db, endpoints, log),
    ...createHealthActivities({ db, temporal, settings: fleet.health }),
    ...createReaperActivities({ db, accounts, endpoints, fleet, temporal, log, startupScript }),
  };
}

/** Without the replicas of a fleet that has no deployment: their billing decides nothing there. */
const rentedFrom = (accounts: Accounts, { pools }: Fleet): Accounts =>
  pools.some((pool) => pool.endpoint?.deployment !== undefined)
    ? accounts
    : new Accounts(accounts.all.filter(({ name }) => deployerOf(name) === null));
