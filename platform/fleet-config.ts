/**
 * Reads `fleet.json`: provider, pools and limits. Without the file there is one static pool of the servers that already run.
 *
 * Buying is opt-in: only `"provider": "datacrunch"` enables it, and a provider URL that is not loopback needs an installation id.
 */
import { existsSync, readFileSync } from 'node:fs';
import type { z } from 'zod';
import { DeckhandError } from '../domain/errors.ts';
import { fleetConfigSchema, type FleetConfig } from '../domain/fleet/pool/pool-config.ts';
import type { Config } from './config.ts';
import { sha256Hex } from './hash.ts';
import { isLoopbackUrl } from './loopback.ts';

/** A fleet with its installation id. */
export interface Fleet extends FleetConfig {
  readonly installationId: string;
}

/** Port 9 is `discard`: a call to a simulator that was not started is refused and never reaches a provider. */
const SIMULATOR_NOT_STARTED_URL = 'http://127.0.0.1:9/v1';

/**
 * The fleet of this installation.
 *
 * @throws DeckhandError `usage` when the file is not valid, `buying_refused` when it would rent machines without an installation id.
 */
export function loadFleet(config: Pick<Config, 'fleetFile' | 'home' | 'providerUrl'>): Fleet {
  const parsed = fleetConfigSchema.safeParse(readFile(config.fleetFile));
  if (!parsed.success) {
    throw new DeckhandError('usage', `${config.fleetFile}: ${whatIsWrong(parsed.error.issues)}`, {
      hint: 'Correct the fleet file; docs/fleet.md describes every setting.',
    });
  }
  const named = withProviderUrl(parsed.data, config.providerUrl);
  // No provider of real machines is on this machine's loopback.
  const fleet = { ...named, access: named.access ?? (isLoopbackUrl(named.baseUrl) ? 'simulated' : 'ssh') } as const;
  if (fleet.installationId !== null) return { ...fleet, installationId: fleet.installationId };
  if (fleet.provider === 'datacrunch' && !isLoopbackUrl(fleet.baseUrl)) {
    throw new DeckhandError('buying_refused', `${fleet.baseUrl} is not loopback and no installationId is set`, {
      userMessage: `Without an installation id Deckhand rents nothing at ${fleet.baseUrl}.`,
      hint: 'Set "installationId" in the fleet file to a short name of this installation, unique in the account.',
    });
  }
  return { ...fleet, installationId: localInstallationId(config.home) };
}

/** All errors. Unknown settings come first, because a mistyped name is also a missing setting. */
function whatIsWrong(issues: readonly z.core.$ZodIssue[]): string {
  const unknown = issues.filter((issue) => issue.code === 'unrecognized_keys');
  const rest = issues.filter((issue) => issue.code !== 'unrecognized_keys');
  return [...unknown, ...rest]
    .map(({ path, message }) => (path.length === 0 ? message : `${path.join('.')}: ${message}`))
    .join('; ');
}

/** The address of the simulated provider is known only when it runs. The URL of a real provider is never replaced. */
function withProviderUrl(fleet: FleetConfig, providerUrl: string | undefined): FleetConfig {
  if (fleet.simulator === null) return fleet;
  return { ...fleet, baseUrl: providerUrl ?? SIMULATOR_NOT_STARTED_URL };
}

/** Id of an installation that uses a simulator only: the same for the same data directory. */
const localInstallationId = (home: string): string => `l${sha256Hex(home).slice(0, 7)}`;

function readFile(file: string): unknown {
  if (!existsSync(file)) return {};
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new DeckhandError('usage', `${file} is not JSON: ${String(error)}`, {
      hint: 'Correct the fleet file.',
      cause: error,
    });
  }
}
