/** Everything in the provider's account that bears a name of this installation, and how much there is beside it. */
import {
  isOurSshKey,
  makeHostname,
  ownerOf,
  scriptFingerprintOf,
  volumeOwnerOf,
} from '../../../domain/fleet/provider/names.ts';
import type { ListedResource } from '../../../domain/fleet/provider/reaper.ts';
import type { ListedScript } from '../../../domain/fleet/provider/scripts-in-use.ts';
import type { Client } from '@temporalio/client';
import type { Accounts } from '../../../clouds/accounts.ts';
import type { CloudProvider } from '../../../clouds/provider.ts';
import { deployerOf } from '../../../clouds/providers.ts';
import type { PoolConfig } from '../../../domain/fleet/pool/pool-config.ts';
import type { PrismaClient } from '../../../generated/prisma/client.ts';
import type { Fleet } from '../../../clouds/fleet.ts';
import type { Endpoints } from '../endpoint/endpoints.ts';
import type { Logger } from '../../../platform/log.ts';

/** What the reaper works with. */
export interface ReaperDeps {
  readonly db: PrismaClient;
  readonly accounts: Accounts;
  /** Deployments of endpoint pools. */
  readonly endpoints: Endpoints;
  readonly fleet: Fleet;
  readonly temporal: Client;
  readonly log: Logger;
  /** Script that prepares a machine of a pool, as a first boot would bring it now. */
  readonly startupScript: (pool: PoolConfig) => Promise<string>;
}

/** What an account holds. */
export interface Listing {
  readonly listed: readonly ListedResource[];
  readonly ourScripts: readonly ListedScript[];
  /** Things under names of others. */
  readonly foreign: number;
}

type OfProvider = Omit<ListedResource, 'provider'>;

/** Lists machines, volumes, scripts, keys, leftover parts and deployments of a provider. @throws DeckhandError `provider_*` */
export async function listOurs(
  deps: Pick<ReaperDeps, 'db' | 'fleet' | 'endpoints'>,
  provider: CloudProvider,
): Promise<Listing> {
  const { fleet } = deps;
  const id = fleet.installationId;
  const [machines, volumes, scripts, keys, parts, deployments] = await Promise.all([
    provider.listInstances(),
    provider.listVolumes(),
    provider.scripts?.list() ?? [],
    provider.sshKeys?.list() ?? [],
    provider.leftovers?.list() ?? [],
    listDeployments(deps, provider.name),
  ]);
  const listedIds = new Set(machines.map((m) => m.id));
  let foreign = 0;
  /** What is being removed is ours and needs no judgement; what bears another name is not ours. */
  const ours = <Thing, Owner>(
    things: readonly Thing[],
    ownerOfThing: (thing: Thing) => Owner | null,
    describe: (thing: Thing, owner: Owner) => OfProvider | null,
  ): OfProvider[] =>
    things.flatMap((thing) => {
      const owner = ownerOfThing(thing);
      if (owner === null) foreign += 1;
      return (owner === null ? null : describe(thing, owner)) ?? [];
    });
  const listed: OfProvider[] = [
    ...ours(
      machines,
      (m) => ownerOf(m.hostname, id),
      (m, owner) => {
        if (m.status === 'gone' || m.status === 'deleting') return null;
        const { id: resourceId, hostname: name, createdAtMs } = m;
        return { kind: 'instance', resourceId, name, instanceName: owner.instance, createdAtMs, disk: null };
      },
    ),
    ...ours(
      volumes,
      (v) => volumeOwnerOf(v.name, id),
      (v, owner) => {
        if (v.status === 'trashed' || v.status === 'deleted') return null;
        const { id: resourceId, name, createdAtMs, location } = v;
        // A provider may still name the machine a disk was attached to after that machine has gone.
        const attachedTo =
          v.status !== 'detached' && v.instanceId !== null && listedIds.has(v.instanceId) ? v.instanceId : null;
        const hostname = makeHostname(id, owner.instance, owner.attempt);
        const disk = { hostname, location, attachedTo };
        return { kind: 'volume', resourceId, name, instanceName: owner.instance, createdAtMs, disk };
      },
    ),
    ...ours(
      scripts,
      (s) => scriptFingerprintOf(s.name, id),
      (s) => ({
        kind: 'script',
        resourceId: s.id,
        name: s.name,
        instanceName: null,
        createdAtMs: s.createdAtMs,
        disk: null,
      }),
    ),
    ...ours(
      keys,
      (k) => (isOurSshKey(k.name, id) ? k : null),
      (k) => ({
        kind: 'ssh_key',
        resourceId: k.id,
        name: k.name,
        instanceName: null,
        createdAtMs: null,
        disk: null,
      }),
    ),
  ];
  listed.push(
    ...ours(
      parts,
      (part) => ownerOf(part.hostname, id),
      // Under the name of the create that it is of: it lives and ends by that.
      ({ id: resourceId, hostname: name }, owner) => ({
        kind: 'part',
        resourceId,
        name,
        instanceName: owner.instance,
        createdAtMs: null,
        disk: null,
      }),
    ),
  );
  listed.push(
    ...ours(
      deployments,
      ({ pool }) => pool,
      ({ name, createdAtMs, status }, pool) => {
        if (status === null || status === 'deleting') return null;
        const deployment = { pool, isPaused: status === 'paused' };
        return {
          kind: 'deployment',
          resourceId: name,
          name,
          instanceName: null,
          createdAtMs,
          disk: null,
          deployment,
        };
      },
    ),
  );
  const ourScripts = scripts.flatMap((s): ListedScript[] => {
    const fingerprint = scriptFingerprintOf(s.name, id);
    return fingerprint === null ? [] : [{ id: s.id, fingerprint, createdAtMs: s.createdAtMs }];
  });
  return { listed: listed.map((resource) => ({ ...resource, provider: provider.name })), ourScripts, foreign };
}

/** Deployments of the account whose replicas are booked as `bookedAs`; ours with their status, which is null once one has gone. */
async function listDeployments(deps: Pick<ReaperDeps, 'db' | 'endpoints'>, bookedAs: string) {
  const { endpoints } = deps;
  const provider = deployerOf(bookedAs);
  if (provider === null || !(await mayHaveDeployments(deps, bookedAs))) return [];
  const all = await endpoints.list(provider);
  return Promise.all(
    all.map(async (one) => {
      const view = one.pool === null ? null : await endpoints.see(provider, one.pool);
      return { ...one, status: view?.status ?? null };
    }),
  );
}

/**
 * False where no pool has or had a deployment that is booked so: credentials that rent machines need no right to list deployments. A pool that
 * is configured no more has left its claims.
 */
async function mayHaveDeployments({ db, endpoints }: Pick<ReaperDeps, 'db' | 'endpoints'>, bookedAs: string) {
  const isDeployed = (pool: PoolConfig): boolean =>
    pool.endpoint?.deployment !== undefined && endpoints.bookedAs(pool) === bookedAs;
  if (endpoints.fleet.pools.some(isDeployed)) return true;
  const where = { offerKey: { startsWith: `${bookedAs}/` } };
  return (await db.createIntent.findFirst({ where, select: { id: true } })) !== null;
}
