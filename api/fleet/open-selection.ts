/**
 * Selection and deployments of the API process: opened at its first use, so that an API without a provider, or without credentials yet,
 * serves everything else, and notices them as soon as they are there.
 */
import { createSharedRateLimit } from '../../activities/fleet/call-rate-limit.ts';
import { Endpoints } from '../../activities/fleet/endpoint/endpoints.ts';
import { Selection } from '../../activities/fleet/selection/selection.ts';
import { openAccounts } from '../../clouds/accounts.ts';
import { DeckhandError } from '../../domain/errors.ts';
import type { PrismaClient } from '../../generated/prisma/client.ts';
import type { Config } from '../../platform/config.ts';
import { loadFleet } from '../../clouds/fleet-file.ts';
import type { Logger } from '../../platform/log.ts';

export interface OpenSelectionOptions {
  readonly db: PrismaClient;
  readonly config: Config;
  readonly log: Logger;
}

/** What the API process knows of a provider's offers. */
export interface OpenedSelection {
  /** Opens selection once. While it cannot, each call throws the reason: `usage`, `credentials_missing`, `buying_refused`. */
  readonly selection: () => Selection;
  /** Deployments of endpoint pools. */
  readonly endpoints: () => Endpoints;
  /** Rows of the catalogue that could not be read when it was last read, a sentence each. */
  readonly unreadableRows: () => readonly string[];
}

export function selectionWhenAsked({ db, config, log }: OpenSelectionOptions): OpenedSelection {
  let opened: Selection | undefined;
  let deployments: Endpoints | undefined;
  const rateLimit = createSharedRateLimit({ db, log });
  const unreadable = new Map<string, readonly string[]>();
  const selection = (): Selection => {
    if (opened !== undefined) return opened;
    const fleet = loadFleet(config);
    if (fleet.provider === 'static') throw staticFleet(config.fleetFile);
    const onRows = (route: string, rows: readonly string[]): void => void unreadable.set(route, rows);
    const options = { fleet, config, rateLimit, log, onRows };
    const accounts = openAccounts(options);
    const { availabilityTtlMs } = fleet;
    opened = new Selection({ db, accounts, config, log, timing: { availabilityTtlMs } });
    return opened;
  };
  const endpoints = (): Endpoints => {
    deployments ??= new Endpoints({ fleet: loadFleet(config), config, rateLimit, log }, config.modelConcurrency);
    return deployments;
  };
  return { selection, endpoints, unreadableRows: () => [...unreadable.values()].flat() };
}

/** The error of a fleet without a provider. */
export const staticFleet = (fleetFile: string): DeckhandError =>
  new DeckhandError('usage', 'the fleet is static: there is no provider to ask', {
    userMessage: 'This fleet uses servers that run already; nothing can be rented.',
    hint: `Set "provider": "datacrunch" in ${fleetFile}; docs/fleet.md says how, also for the simulator.`,
  });
