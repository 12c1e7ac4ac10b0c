/** Volumes in the accounts of the fleet, and how an operator attaches and detaches data volumes. */
import type { Accounts } from '../../clouds/accounts.ts';
import { isProviderError } from '../../clouds/errors.ts';
import type { Fleet } from '../../clouds/fleet.ts';
import type { CloudProvider, CloudVolume } from '../../clouds/provider.ts';
import { DeckhandError } from '../../domain/errors.ts';
import { phaseOf } from '../../domain/fleet/phases.ts';
import { volumeOwnerOf } from '../../domain/fleet/provider/names.ts';
import {
  checkAttach,
  checkDetach,
  type MachineFacts,
  type VolumeFacts,
} from '../../domain/fleet/provider/volume-attachment.ts';
import { parseOfferKey, type OfferKey } from '../../domain/fleet/selection/offer.ts';
import type { FleetInstance, PrismaClient } from '../../generated/prisma/client.ts';
import { errorInfo, isAnswer } from './instance/provider-answer.ts';

/** What this needs. */
export interface VolumeDeps {
  readonly db: PrismaClient;
  readonly accounts: Accounts;
  readonly fleet: Pick<Fleet, 'installationId' | 'dataVolumes'>;
}

/** A volume with what is known of it. */
export interface ListedVolume extends VolumeFacts {
  readonly name: string;
  readonly sizeGib: number;
  readonly usdPerMonth: number;
}

type Row = Pick<FleetInstance, 'name' | 'provider' | 'phase' | 'providerId' | 'offerKey' | 'osVolumeId'>;

function listed(
  { fleet }: Pick<VolumeDeps, 'fleet'>,
  provider: Pick<CloudProvider, 'name'>,
  volume: CloudVolume,
  rows: readonly Row[],
): ListedVolume {
  const { id, name, location, status, isOsVolume, sizeGib, usdPerMonth, shared, instanceId } = volume;
  const holders = shared?.instanceIds ?? (instanceId === null ? [] : [instanceId]);
  const isSystem = volumeOwnerOf(name, fleet.installationId) !== null || rows.some((row) => row.osVolumeId === id);
  return {
    id,
    name,
    provider: provider.name,
    location,
    status,
    isOsVolume,
    owner: isSystem ? 'system' : fleet.dataVolumes.includes(id) ? 'data' : 'foreign',
    isShared: shared !== undefined,
    attachedTo: holders.map((providerId) => ({
      providerId,
      instance: rows.find((row) => row.providerId === providerId)?.name ?? null,
    })),
    sizeGib,
    usdPerMonth,
  };
}

const livingRows = (db: PrismaClient): Promise<Row[]> => db.fleetInstance.findMany({ where: { endedAt: null } });

/** The volumes of a fleet, and the providers whose volumes are not among them. */
export interface FleetVolumes {
  readonly items: readonly ListedVolume[];
  readonly unanswered: readonly { readonly provider: string; readonly message: string }[];
}

/** All volumes of all providers of the fleet that answer, the trash left out. @throws DeckhandError `provider_*` when none answers */
export const listFleetVolumes = async (deps: VolumeDeps): Promise<FleetVolumes> =>
  volumesAt(deps.accounts.all, deps, await livingRows(deps.db));

/** See {@link listFleetVolumes}. @param rows the instances that have not ended */
export async function volumesAt(
  providers: readonly Pick<CloudProvider, 'name' | 'listVolumes'>[],
  deps: Pick<VolumeDeps, 'fleet'>,
  rows: readonly Row[],
): Promise<FleetVolumes> {
  const looks = await Promise.allSettled(providers.map(async (provider) => provider.listVolumes()));
  const items: ListedVolume[] = [];
  const failures: { provider: string; error: unknown }[] = [];
  for (const [i, provider] of providers.entries()) {
    const look = looks[i];
    if (look?.status === 'fulfilled') items.push(...look.value.map((volume) => listed(deps, provider, volume, rows)));
    else if (look !== undefined) failures.push({ provider: provider.name, error: look.reason });
  }
  const [first] = failures;
  // What is no answer of a provider is a mistake of ours.
  const mistake =
    failures.find(({ error }) => !isAnswer(error)) ?? (failures.length === providers.length ? first : undefined);
  if (mistake !== undefined) throw mistake.error;
  return {
    items: items.filter(({ status }) => status !== 'deleted' && status !== 'trashed'),
    unanswered: failures.map(({ provider, error }) => ({ provider, message: errorInfo(error).message })),
  };
}

/** Attaches a data volume to an instance. @throws DeckhandError as `checkAttach`; `not_found`, `provider_*` */
export const attachToInstance = (deps: VolumeDeps, volumeId: string, instance: string): Promise<ListedVolume> =>
  change(deps, volumeId, instance, async (provider, volume, machine) => {
    if (machine === null) throw noInstance(instance);
    const to = checkAttach(volume, machine, provider.dataVolumes !== undefined);
    if (to !== null) await provider.dataVolumes?.attach(volumeId, to);
  });

/** Detaches a data volume from an instance; null = from the only one. @throws DeckhandError as `checkDetach`; `not_found`, `provider_*` */
export const detachFromInstance = (
  deps: VolumeDeps,
  volumeId: string,
  instance: string | null,
): Promise<ListedVolume> =>
  change(deps, volumeId, instance, async (provider, volume, machine) => {
    const from = checkDetach(volume, machine, provider.dataVolumes !== undefined);
    if (from !== null) await provider.dataVolumes?.detach(volumeId, from);
  });

async function change(
  deps: VolumeDeps,
  volumeId: string,
  instance: string | null,
  act: (provider: CloudProvider, volume: VolumeFacts, machine: MachineFacts | null) => Promise<void>,
): Promise<ListedVolume> {
  const provider = deps.accounts.ofId(volumeId);
  const rows = await livingRows(deps.db);
  const row = instance === null ? null : rows.find(({ name }) => name === instance);
  if (row === undefined) throw noInstance(instance ?? '');
  const read = async (): Promise<ListedVolume> => {
    const volume = await provider.getVolume(volumeId);
    if (volume !== null) return listed(deps, provider, volume, rows);
    throw new DeckhandError('not_found', `${provider.name} has no volume ${volumeId}`, {
      userMessage: `There is no volume ${volumeId} at ${provider.name}.`,
      hint: '`./deckhand fleet volumes` lists them.',
    });
  };
  try {
    await act(provider, await read(), row === null ? null : machineOf(row));
  } catch (error) {
    throw isProviderError(error, 'not_yet') ? notNow(provider.name, volumeId, error) : error;
  }
  return read();
}

const machineOf = ({ name, provider, phase, providerId, offerKey }: Row): MachineFacts => ({
  name,
  provider,
  phase: phaseOf(phase),
  providerId,
  location: offerKey === null ? null : parseOfferKey(offerKey as OfferKey).location,
});

const noInstance = (name: string): DeckhandError =>
  new DeckhandError('not_found', `no instance ${name}`, {
    userMessage: `There is no instance ${name}.`,
    hint: '`./deckhand fleet` lists them.',
  });

/** The machine is in no state for it: some providers attach disks only to machines that are stopped. */
const notNow = (provider: string, volumeId: string, cause: unknown): DeckhandError =>
  new DeckhandError('conflict', `${provider} does not change ${volumeId} now: ${String(cause)}`, {
    userMessage: `${provider} does not attach or detach volume ${volumeId} while the machine is in its present state.`,
    hint: 'DataCrunch changes disks of stopped machines only: in a pool with "suspendStrategy": "shutdown" suspend the instance first (deckhand fleet suspend NAME). docs/fleet.md, "Volumes".',
    cause,
  });
