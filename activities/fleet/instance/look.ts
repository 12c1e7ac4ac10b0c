/** Looking at instances at the provider: one by its id, or all under exact host names. */
import { count } from '../../../platform/process-metrics.ts';
import type { PrismaClient } from '../../../generated/prisma/client.ts';
import type { Sighting } from '../../../domain/fleet/instance-life/types.ts';
import type { ProviderErrorInfo } from '../../../domain/fleet/provider/provider-errors.ts';
import type { Accounts } from '../../../clouds/accounts.ts';
import { parseOfferKey } from '../../../domain/fleet/selection/offer.ts';
import type { CloudInstance, CloudProvider } from '../../../clouds/provider.ts';
import type { InstanceActivities } from './contract.ts';
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

/**
 * Which names were used at which provider. A name without an intent was never sent; should it have been all the same, any provider may have it.
 */
async function namesByProvider(
  db: PrismaClient,
  accounts: Accounts,
  hostnames: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const intents = await db.createIntent.findMany({
    where: { hostname: { in: [...hostnames] } },
    select: { hostname: true, offerKey: true },
  });
  const providerOf = new Map(intents.map((i) => [i.hostname, parseOfferKey(i.offerKey).provider]));
  const unsent = hostnames.filter((hostname) => !providerOf.has(hostname));
  const names = new Map(accounts.names.map((name) => [name, [...unsent]]));
  for (const [hostname, provider] of providerOf) names.set(provider, [...(names.get(provider) ?? []), hostname]);
  return names;
}

/**
 * Looks for what creates came to. A create under one of these names that has not been sent yet (its process hangs) is fenced off first: it
 * finds its intent `unknown` and sends nothing.
 */
export async function findInstances(
  db: PrismaClient,
  accounts: Accounts,
  hostnames: readonly string[],
): ReturnType<InstanceActivities['findInstances']> {
  const fenced = await db.createIntent.updateManyAndReturn({
    where: { hostname: { in: [...hostnames] }, state: 'creating' },
    data: { state: 'unknown', message: 'it is looked for by name' },
    select: { offerKey: true },
  });
  for (const { offerKey: offer } of fenced) count('gpu_create_attempts_total', { offer, class: 'unknown' });
  const asked = [...(await namesByProvider(db, accounts, hostnames))].filter(([, names]) => names.length > 0);
  const answers = await Promise.all(
    asked.map(async ([provider, names]) => ({
      names,
      ...(await answerOf(async () => listByHostname(accounts.of(provider), names))),
    })),
  );
  const sightings = answers.flatMap(({ value }) => value ?? []);
  const answered = new Set(answers.flatMap(({ names, error }) => (error === null ? names : [])));
  const silent = hostnames.filter((hostname) => !answered.has(hostname));
  const failed = answers.find(({ error }) => error !== null)?.error ?? null;
  for (const { hostname, providerId } of sightings) {
    await db.createIntent.updateMany({
      where: { hostname, state: 'unknown' },
      data: { state: 'created', providerId, settledAt: new Date() },
    });
  }
  if (failed !== null && answered.size === 0) return { sightings, error: failed };
  return { sightings, error: null, ...(silent.length === 0 ? {} : { silent }) };
}
