/**
 * Finds the machines and disks at the provider whose names belong to this installation, with or without an owning instance.
 *
 * Sources are the provider's lists, its record of creations since the last round (a machine may exist only between two rounds), and the ids
 * in instances and creates. Prices and billing rules are stored as they are when a rental is first seen.
 *
 * All prices are in USD. A machine's own price is the billed one, in the currency of the account. Where that is another currency, or the
 * provider names no price, the purchase price counts, and the list price where that is not known.
 */
import { HOURS_PER_MONTH } from '../../../domain/fleet/provider/billing.ts';
import { Decimal } from 'decimal.js';
import type { CloudInstance, CloudInstanceType, CloudProvider, CloudVolume } from '../../../clouds/provider.ts';
import type { BilledResource } from '../../../domain/fleet/provider/billing.ts';
import { ownerOf, volumeOwnerOf } from '../../../domain/fleet/provider/names.ts';
import type { Market } from '../../../domain/fleet/selection/offer.ts';
import { LEDGER_CURRENCY } from '../../../domain/costs/ledger/facts.ts';

/** Decimal places of a price per hour. */
const PRICE_DECIMALS = 9;

/** The provider's record is read from so long before the last look: its clock and ours may differ, and an event may come late. */
export const LOOK_BACK_MS = 24 * 3_600_000;

/** A billed machine or disk when it was first seen. */
export interface FoundRental {
  readonly resource: BilledResource;
  /** The provider's id. */
  readonly resourceId: string;
  /** Instance in its name. */
  readonly instanceName: string;
  readonly location: string | null;
  readonly instanceType: string | null;
  readonly market: Market | null;
  readonly sizeGib: number | null;
  readonly priceUsdPerHour: Decimal;
  /** Null for disks, and where the type is no longer sold. */
  readonly onDemandUsdPerHour: Decimal | null;
  readonly quantumSec: number;
  readonly refundsUnused: boolean;
  readonly createdAtMs: number;
}

/** What to search for. */
export interface Search {
  readonly installationId: string;
  /** Older events of the provider's record were read before. */
  readonly sinceMs: number;
  /** Ids that instances and creates name. */
  readonly instanceIds: readonly string[];
  readonly volumeIds: readonly string[];
  readonly isKnown: (resource: BilledResource, id: string) => boolean;
  /** ISO 4217 code of the account's currency; {@link LEDGER_CURRENCY} where left out. */
  readonly currency?: string;
  /** Purchase price of a machine, USD per hour, from its create. */
  readonly boughtAt?: (id: string) => Decimal | null;
  /** Called with each disk of ours that costs something now. */
  readonly isThere?: (volumeId: string) => void;
  /** Called with each resource of another owner, which need not be read again. */
  readonly notOurs?: (resource: BilledResource, id: string) => void;
}

/** All unknown rentals of this installation. @throws DeckhandError `provider_*` */
export async function discoverRentals(provider: CloudProvider, search: Search): Promise<readonly FoundRental[]> {
  const { installationId, sinceMs, isKnown } = search;
  const [listedMachines, listedVolumes, made] = await Promise.all([
    provider.listInstances(),
    provider.listVolumes(),
    provider.bills?.madeSince(sinceMs),
  ]);
  const idsOf = (resource: BilledResource, named: readonly string[]): readonly string[] => [
    ...named,
    ...(made ?? []).filter((one) => one.resource === resource).map((one) => one.id),
  ];
  const machines = await collect<CloudInstance>(
    listedMachines,
    idsOf('instance', search.instanceIds),
    (id) => isKnown('instance', id),
    (id) => provider.getInstance(id),
  );
  const ourMachines = machines.filter((machine) => ownerOf(machine.hostname, installationId) !== null);
  for (const machine of machines) if (!ourMachines.includes(machine)) search.notOurs?.('instance', machine.id);
  const theirDisks = ourMachines.flatMap(({ volumeIds, osVolumeId }) => [...volumeIds, osVolumeId ?? []].flat());
  const volumes = await collect<CloudVolume>(
    listedVolumes,
    [...idsOf('volume', search.volumeIds), ...theirDisks],
    (id) => isKnown('volume', id),
    (id) => provider.getVolume(id),
  );
  for (const { id, name } of volumes) if (volumeOwnerOf(name, installationId) === null) search.notOurs?.('volume', id);
  for (const { id, name, status } of listedVolumes)
    if ((status === 'attached' || status === 'detached') && volumeOwnerOf(name, installationId) !== null)
      search.isThere?.(id);
  const types = ourMachines.length === 0 ? new Map<string, CloudInstanceType>() : await priceList(provider);
  return [
    ...ourMachines.flatMap((machine) => machineRental(provider, machine, search, types.get(machine.instanceType))),
    ...volumes.flatMap((volume) => diskRental(volume, installationId)),
  ];
}

/** Resources of a list and those with these ids, each once, without known ones. */
async function collect<Thing extends { readonly id: string }>(
  listed: readonly Thing[],
  ids: readonly string[],
  isKnown: (id: string) => boolean,
  get: (id: string) => Promise<Thing | null>,
): Promise<readonly Thing[]> {
  const found = new Map(listed.map((thing) => [thing.id, thing]));
  for (const id of new Set(ids)) {
    if (found.has(id) || isKnown(id)) continue;
    const thing = await get(id);
    if (thing !== null) found.set(id, thing);
  }
  return [...found.values()].filter((thing) => !isKnown(thing.id));
}

async function priceList(provider: CloudProvider): Promise<ReadonlyMap<string, CloudInstanceType>> {
  const types = await provider.listInstanceTypes();
  return new Map(types.map((type) => [type.instanceType, type]));
}

function priceOf(
  { id, priceUsdPerHour, market, location }: CloudInstance,
  { currency = LEDGER_CURRENCY, boughtAt }: Search,
  type: CloudInstanceType | undefined,
): Decimal {
  if (priceUsdPerHour > 0 && currency === LEDGER_CURRENCY) return new Decimal(priceUsdPerHour);
  // The prices of a type are its lowest ones where it costs less in some locations than in others.
  const prices = type?.pricesByLocation?.[location] ?? type;
  const listed =
    market === 'spot' ? (prices?.spotUsdPerHour ?? prices?.onDemandUsdPerHour) : prices?.onDemandUsdPerHour;
  return boughtAt?.(id) ?? new Decimal(listed ?? priceUsdPerHour);
}

function machineRental(
  { capabilities: { billing } }: CloudProvider,
  machine: CloudInstance,
  search: Search,
  type: CloudInstanceType | undefined,
): readonly FoundRental[] {
  const owner = ownerOf(machine.hostname, search.installationId);
  if (owner === null) return [];
  const listed = type?.pricesByLocation?.[machine.location]?.onDemandUsdPerHour ?? type?.onDemandUsdPerHour;
  return [
    {
      resource: 'instance',
      resourceId: machine.id,
      instanceName: owner.instance,
      location: machine.location === '' ? null : machine.location,
      instanceType: machine.instanceType,
      market: machine.market,
      sizeGib: null,
      priceUsdPerHour: priceOf(machine, search, type),
      onDemandUsdPerHour: listed === undefined ? null : new Decimal(listed),
      quantumSec: billing.quantumSec,
      refundsUnused: billing.refundsUnused,
      createdAtMs: machine.createdAtMs,
    },
  ];
}

function diskRental(volume: CloudVolume, installationId: string): readonly FoundRental[] {
  const owner = volumeOwnerOf(volume.name, installationId);
  if (owner === null) return [];
  return [
    {
      resource: 'volume',
      resourceId: volume.id,
      instanceName: owner.instance,
      location: volume.location === '' ? null : volume.location,
      instanceType: null,
      market: null,
      sizeGib: Math.round(volume.sizeGib),
      priceUsdPerHour: new Decimal(volume.usdPerMonth).div(HOURS_PER_MONTH).toDecimalPlaces(PRICE_DECIMALS),
      onDemandUsdPerHour: null,
      // Disks cost by the time.
      quantumSec: 0,
      refundsUnused: true,
      createdAtMs: volume.createdAtMs,
    },
  ];
}
