/** Everything that queue `fleet` offers: activities that speak to the provider or store what it said. */
import { Accounts } from '../../clouds/accounts.ts';
import { deployerOf } from '../../clouds/providers.ts';
import type { Config } from '../../platform/config.ts';
import type { Fleet } from '../../clouds/fleet.ts';
import { cautiousOf } from '../costs/budget/reservation-terms.ts';
import { BudgetCheck } from '../costs/budget/check-create.ts';
import { readPoolBudget } from '../costs/budget/pool-allowance.ts';
import { createHealthActivities } from '../health/activities.ts';
import type { HealthActivities } from '../health/contract.ts';
import { createEndpointActivities, type EndpointActivities } from './endpoint/activities.ts';
import { createInstanceActivities } from './instance/activities.ts';
import { BootMaterial } from './instance/boot-material.ts';
import { sharing } from './instance/shared-filesystem.ts';
import type { InstanceActivities } from './instance/contract.ts';
import { createPoolActivities, type PoolActivities } from './pool/activities.ts';
import { createReaperActivities, type ReaperActivities } from './reaper/activities.ts';
import type { ReaperDeps } from './reaper/listing.ts';
import { Selection } from './selection/selection.ts';

export type FleetActivities = HealthActivities &
  InstanceActivities &
  PoolActivities &
  ReaperActivities &
  EndpointActivities;

export interface FleetActivitiesOptions extends ReaperDeps {
  readonly config: Pick<Config, 'models' | 'modelConcurrency'>;
  /** OpenSSH line of the installation's key. */
  readonly publicKey: () => string;
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
    ...createReaperActivities(options),
  };
}

/** Without the replicas of a fleet that has no deployment: their billing decides nothing there. */
const rentedFrom = (accounts: Accounts, { pools }: Fleet): Accounts =>
  pools.some((pool) => pool.endpoint?.deployment !== undefined)
    ? accounts
    : new Accounts(accounts.all.filter(({ name }) => deployerOf(name) === null));
