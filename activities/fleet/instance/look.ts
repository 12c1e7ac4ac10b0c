/**
 * Looking at instances at the provider: one by its id, or all under exact host names.
 */
import { count } from '../../../platform/process-metrics.ts';
import type { PrismaClient } from '../../../generated/prisma/client.ts';
import type { Sighting } from '../../../domain/fleet/instance-life/types.ts';
import type { ProviderErrorInfo } from '../../../domain/fleet/provider/provider-errors.ts';
import type { Accounts } from '../../../clouds/accounts.ts';
import { parseOfferKey } from '../../../domain/fleet/selection/offer.ts';
import type { CloudInstance, CloudProvider } from '../../../clouds/provider.ts';
import { answerOf } from './provider-answer.ts';

/** The part of an instance at the provider that decides anything. */
export const sightingOf = (found: CloudInstance): Sighting => ({
  providerId: found.id,
  hostname: found.hostname,
  status: found.status,
  rawStatus: found.rawStatus,
  priceUsdPerHour: found.priceUsdPerHour,
  ip: found.ip,
  osVolumeId: found.osVolumeId,
  volumeIds: found.volumeIds,
  simulatedModelUrl: found.simulatedModelUrl,
  createdAtMs: found.createdAtMs,
});

/** One look at one instance; null when the provider does not know the id. */
export async function lookAtInstance(
  provider: CloudProvider,
  providerId: string,
): Promise<{ readonly sighting: Sighting | null; readonly error: ProviderErrorInfo | null }> {
  const { value, error } = await answerOf(() => provider.getInstance(providerId));
  return { sighting: value === null ? null : sightingOf(value), error };
}

/** All instances of exactly these host names, oldest first. Never by a part of a name: the account holds others' machines. */
export async function listByHostname(
  provider: CloudProvider,
  hostnames: readonly string[],
): Promise<readonly Sighting[]> {
  const wanted = new Set(hostnames);
  return (await provider.listInstances())
    .filter((found) => wanted.has(found.hostname))
    .map(sightingOf)
    .sort((a, b) => a.createdAtMs - b.createdAtMs || a.providerId.localeCompare(b.providerId));
}

/** The providers at which these names were used; where none is known, all of them. */
async function providersOf(
  db: PrismaClient,
  accounts: Accounts,
  hostnames: readonly string[],
): Promise<readonly CloudProvider[]> {
  const intents = await db.createIntent.findMany({
    where: { hostname: { in: [...hostnames] } },
    select: { hostname: true, offerKey: true },
  });
  const known = new Set(intents.map((intent) => intent.hostname));
  if (hostnames.some((hostname) => !known.has(hostname))) return accounts.all;
  const names = new Set(intents.map((intent) => parseOfferKey(intent.offerKey).provider));
  return [...names].map((name) => accounts.of(name));
}

/**
 * Looks for what creates came to. A create under one of these names that has not been sent yet (its process hangs) is fenced off first: it
 * finds its intent `unknown` and sends nothing.
 */
export async function findInstances(
  db: PrismaClient,
  accounts: Accounts,
  hostnames: readonly string[],
): Promise<{ readonly sightings: readonly Sighting[]; readonly error: ProviderErrorInfo | null }> {
  const fenced = await db.createIntent.updateManyAndReturn({
    where: { hostname: { in: [...hostnames] }, state: 'creating' },
    data: { state: 'unknown', message: 'it is looked for by name' },
    select: { offerKey: true },
  });
  for (const { offerKey: offer } of fenced) count('gpu_create_attempts_total', { offer, class: 'unknown' });
  const { value, error } = await answerOf(async () => {
    const providers = await providersOf(db, accounts, hostnames);
    return (await Promise.all(providers.map((provider) => listByHostname(provider, hostnames)))).flat();
  });
  for (const { hostname, providerId } of value ?? []) {
    await db.createIntent.updateMany({
      where: { hostname, state: 'unknown' },
      data: { state: 'created', providerId, settledAt: new Date() },
    });
  }
  return { sightings: value ?? [], error };
}
