/**
 * When a rental's bill began and ended: as the provider's own record says, else as Deckhand saw it.
 */
import type { CloudProvider } from '../../../clouds/provider.ts';
import type { ProviderBill } from '../../../domain/fleet/billing.ts';
import { FINAL_PHASES } from '../../../domain/fleet/instance-life/types.ts';
import type { OwnerRow } from '../../../domain/ledger/facts.ts';
import type { Rental } from '../../../generated/prisma/client.ts';

/** A bill, and who says so. */
export interface KnownBill {
  readonly bill: ProviderBill;
  readonly boundsFrom: 'provider' | 'observed';
}

/** What is known of a bill now. @throws DeckhandError `provider_*` */
export async function askBill(
  provider: CloudProvider,
  rental: Rental,
  rows: readonly OwnerRow[],
  now: Date,
): Promise<KnownBill> {
  const resource = rental.resource === 'volume' ? 'volume' : 'instance';
  const recorded = await provider.billOf(resource, rental.resourceId);
  if (recorded !== null) return { bill: recorded, boundsFrom: 'provider' };
  const bill =
    resource === 'volume'
      ? await observeDisk(provider, rental, now)
      : await observeMachine(provider, rental, rows, now);
  return { bill, boundsFrom: 'observed' };
}

/** Of a server that runs already: as long as it is kept. */
export function billOfStaticHost(rows: readonly OwnerRow[]): KnownBill {
  const [first] = rows;
  if (first === undefined) return { bill: { state: 'not_begun' }, boundsFrom: 'observed' };
  const end = rows.find((row) => FINAL_PHASES.includes(row.phase));
  const bill = { state: 'billed', fromMs: first.atMs, untilMs: end?.atMs ?? null } as const;
  return { bill, boundsFrom: 'observed' };
}

async function observeMachine(
  provider: CloudProvider,
  rental: Rental,
  rows: readonly OwnerRow[],
  now: Date,
): Promise<ProviderBill> {
  const machine = await provider.getInstance(rental.resourceId);
  const own = rows.filter((row) => row.providerId === rental.resourceId);
  // What ends for want of capacity, or cannot be installed, costs nothing.
  if (machine?.status === 'failed' && own.every((row) => row.phase !== 'ready')) return { state: 'void' };
  const fromMs = rental.billedFrom?.getTime() ?? machine?.createdAtMs ?? rental.createdAt.getTime();
  const isThere = machine !== null && machine.status !== 'gone' && machine.status !== 'deleting';
  if (isThere) return { state: 'billed', fromMs, untilMs: null };
  const untilMs = rental.billedUntil?.getTime() ?? leftAtMs(rows, rental.resourceId) ?? now.getTime();
  return { state: 'billed', fromMs, untilMs: Math.max(fromMs, untilMs) };
}

async function observeDisk(provider: CloudProvider, rental: Rental, now: Date): Promise<ProviderBill> {
  const volume = await provider.getVolume(rental.resourceId);
  const fromMs = rental.billedFrom?.getTime() ?? volume?.createdAtMs ?? rental.createdAt.getTime();
  const costsNothing = volume === null || volume.status === 'trashed' || volume.status === 'deleted';
  const untilMs = costsNothing ? (rental.billedUntil?.getTime() ?? now.getTime()) : null;
  return { state: 'billed', fromMs, untilMs: untilMs === null ? null : Math.max(fromMs, untilMs) };
}

/** When the history stopped naming a machine; null = it never did, or still does. */
export function leftAtMs(rows: readonly OwnerRow[], providerId: string): number | null {
  const last = rows.findLastIndex((row) => row.providerId === providerId);
  return last === -1 ? null : (rows[last + 1]?.atMs ?? null);
}
