/**
 * Reads `fleet.json`: providers, pools and limits. Without the file there is one static pool of the servers that already run.
 *
 * Buying is opt-in: only a provider's name enables it, and an API that is not on loopback needs an installation id.
 */
import { existsSync, readFileSync } from 'node:fs';
import type { z } from 'zod';
import { DeckhandError } from '../domain/errors.ts';
import { fleetConfigSchema, type FleetConfig } from '../domain/fleet/pool/pool-config.ts';
import type { Config } from '../platform/config.ts';
import { sha256Hex } from '../platform/hash.ts';
import { namedUrl, providerNames, providersOfPool, STATIC, type Fleet } from './fleet.ts';
import { isLocal, PROVIDERS, providerEntry } from './providers.ts';

/** Port 9 is `discard`: a call to a simulator that was not started is refused and never reaches a provider. */
const SIMULATOR_NOT_STARTED_URL = 'http://127.0.0.1:9/v1';

/**
 * The fleet of this installation.
 *
 * @throws DeckhandError `usage` when the file is not valid, `buying_refused` when it would rent machines without an installation id.
 */
export function loadFleet(config: Pick<Config, 'fleetFile' | 'home' | 'providerUrls'>): Fleet {
  const parsed = fleetConfigSchema.safeParse(readFile(config.fleetFile));
  if (!parsed.success) throw invalid(config.fleetFile, parsed.error.issues);
  const named = withSimulators(parsed.data, config.providerUrls);
  checkProviders(named, config.fleetFile);
  const remote = providerNames(named).find((name) => !isLocal(named, name));
  // No provider of real machines is on this machine's loopback.
  const fleet = { ...named, access: named.access ?? (remote === undefined ? 'simulated' : 'ssh') } as const;
  if (fleet.installationId !== null) return { ...fleet, installationId: fleet.installationId };
  if (remote !== undefined) {
    const place = namedUrl(fleet, remote) ?? remote;
    throw new DeckhandError('buying_refused', `${place} is not loopback and no installationId is set`, {
      userMessage: `Without an installation id Deckhand rents nothing at ${place}.`,
      hint: 'Set "installationId" in the fleet file to a short name of this installation, unique in the account.',
    });
  }
  return { ...fleet, installationId: localInstallationId(config.home) };
}

const invalid = (file: string, issues: readonly z.core.$ZodIssue[]): DeckhandError =>
  new DeckhandError('usage', `${file}: ${whatIsWrong(issues)}`, {
    hint: 'Correct the fleet file; docs/fleet.md describes every setting.',
  });

const mistake = (path: (string | number)[], message: string): z.core.$ZodIssue => ({
  code: 'custom',
  input: undefined,
  path,
  message,
});

/** @throws DeckhandError `usage` for a provider that does not exist or is named twice, or whose own settings are not valid */
function checkProviders(fleet: FleetConfig, file: string): void {
  for (const name of providerNames(fleet)) {
    const parsed = providerEntry(name).settings.safeParse(fleet.providers[name] ?? {});
    if (parsed.success) continue;
    const issues = parsed.error.issues.map((issue) => ({ ...issue, path: ['providers', name, ...issue.path] }));
    throw invalid(file, issues);
  }
  const simulated = Object.keys(fleet.simulator?.scenarios ?? {});
  for (const name of simulated) {
    if (providerNames(fleet).includes(name)) continue;
    throw invalid(file, [mistake(['simulator', 'scenarios', name], 'is no provider of this fleet')]);
  }
  for (const [index, { name, providers, image, endpoint }] of fleet.pools.entries()) {
    const twice = providers.find((provider, at) => providers.indexOf(provider) !== at);
    if (twice !== undefined) throw invalid(file, [mistake(['pools', index, 'providers'], `names ${twice} twice`)]);
    const isDeployed = endpoint?.deployment !== undefined;
    if (providers.includes(STATIC) || (fleet.provider === STATIC && providers.length > 0 && !isDeployed)) {
      throw new DeckhandError('usage', `${file}: pool ${name} names providers in a static fleet, or static itself`, {
        userMessage: 'Servers that run already are a fleet of their own: its pool names no providers.',
        hint: `Set "provider" to the provider to rent from. Known are ${Object.keys(PROVIDERS).join(', ')}.`,
      });
    }
    if (isDeployed) checkDeployments(name, providersOfPool({ providers }, fleet.provider)[0] ?? STATIC, file);
    if (providers.length > 1 && image !== null) {
      throw new DeckhandError('usage', `${file}: pool ${name} names an image and several providers`, {
        userMessage: `Pool ${name} rents from several providers, whose images have different names.`,
        hint: 'Leave "image" out: an image with the driver is chosen for each machine.',
      });
    }
  }
}

/** @throws DeckhandError `usage` for a pool with a deployment at a provider that has none */
function checkDeployments(pool: string, provider: string, file: string): void {
  if (providerEntry(provider).deployments !== undefined) return;
  const able = Object.keys(PROVIDERS).filter((name) => PROVIDERS[name]?.deployments !== undefined);
  throw new DeckhandError('usage', `${file}: pool ${pool} has a deployment at ${provider}, which has none`, {
    userMessage: `Pool ${pool} is to be a deployment, and ${provider === STATIC ? 'it names no provider' : `${provider} has none that Deckhand knows`}.`,
    hint: `Name one of ${able.join(', ')} in the pool's "providers", or give the "url" of an endpoint.`,
  });
}

/** All errors. Unknown settings come first, because a mistyped name is also a missing setting. */
function whatIsWrong(issues: readonly z.core.$ZodIssue[]): string {
  const unknown = issues.filter((issue) => issue.code === 'unrecognized_keys');
  const rest = issues.filter((issue) => issue.code !== 'unrecognized_keys');
  return [...unknown, ...rest]
    .map(({ path, message }) => (path.length === 0 ? message : `${path.join('.')}: ${message}`))
    .join('; ');
}

/** Addresses of simulated providers are known only when they run. The URL of a real provider is never replaced. */
function withSimulators(fleet: FleetConfig, urls: Config['providerUrls']): FleetConfig {
  if (fleet.simulator === null) return fleet;
  const settings = providerNames(fleet).map((name) => {
    const baseUrl = urls[name] ?? SIMULATOR_NOT_STARTED_URL;
    return [name, { ...fleet.providers[name], baseUrl }] as const;
  });
  return { ...fleet, providers: Object.fromEntries(settings) };
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
