/** When billing of a rental started, paused and ended: from the provider's record, otherwise from Deckhand's observations. */
import type { CloudProvider } from '../../../clouds/provider.ts';
import type { BillPause, ProviderBill } from '../../../domain/fleet/provider/billing.ts';
import { isFinal } from '../../../domain/fleet/phases.ts';
import type { OwnerRow } from '../../../domain/costs/ledger/facts.ts';
import type { Rental } from '../../../generated/prisma/client.ts';

/** A billing interval and its source. */
export interface KnownBilling {
  readonly bill: ProviderBill;
  readonly boundsFrom: 'provider' | 'observed';
}

/** Reads the billing interval of a rental. @throws DeckhandError `provider_*` */
export async function readBilling(
  provider: CloudProvider,
  rental: Rental,
  rows: readonly OwnerRow[],
  now: Date,
): Promise<KnownBilling> {
  const resource = rental.resource === 'volume' ? 'volume' : 'instance';
  const recorded = (await provider.bills?.billOf(resource, rental.resourceId)) ?? null;
  if (recorded !== null && (recorded.state === 'void' || (recorded.state === 'billed' && recorded.untilMs !== null)))
    return { bill: recorded, boundsFrom: 'provider' };
  const thing =
    resource === 'volume' ? await lookAtDisk(provider, rental) : await lookAtMachine(provider, rental, rows);
  if (recorded === null) return { bill: observe(provider, thing, rental, rows, now), boundsFrom: 'observed' };
  if (!thing.isGone || isTooYoung(provider, thing, rental, now)) return { bill: recorded, boundsFrom: 'provider' };
  if (recorded.state === 'not_begun') {
    // According to the record it never ran, and its instance has given it up.
    const isGivenUp = leftAtMs(rows, rental.resourceId) !== null || isOver(rows);
    return { bill: isGivenUp ? { state: 'void' } : recorded, boundsFrom: 'observed' };
  }
  // The record lacks the end of a rental that no longer exists; without an end it would be billed forever.
  const untilMs = Math.max(recorded.fromMs, endOf(rental, rows, resource, now));
  return { bill: { ...recorded, untilMs }, boundsFrom: 'observed' };
}

/** Billing interval of a static server: as long as it is configured. */
export function billingOfStaticHost(rows: readonly OwnerRow[]): KnownBilling {
  const [first] = rows;
  if (first === undefined) return { bill: { state: 'not_begun' }, boundsFrom: 'observed' };
  const end = rows.find((row) => isFinal(row.phase));
  const bill = { state: 'billed', fromMs: first.atMs, untilMs: end?.atMs ?? null } as const;
  return { bill, boundsFrom: 'observed' };
}

/** A machine or disk as it is at the provider now. */
interface Thing {
  readonly resource: 'instance' | 'volume';
  /** Null = the provider does not know it. */
  readonly createdAtMs: number | null;
  readonly costs: boolean;
  /** It has ended. */
  readonly isGone: boolean;
  /** It failed for lack of capacity or during installation, and never served. */
  readonly isVoid: boolean;
  readonly pauses: readonly BillPause[];
}

async function lookAtMachine(provider: CloudProvider, rental: Rental, rows: readonly OwnerRow[]): Promise<Thing> {
  const machine = await provider.getInstance(rental.resourceId);
  const own = rows.filter((row) => row.providerId === rental.resourceId);
  return {
    resource: 'instance',
    createdAtMs: machine?.createdAtMs ?? null,
    costs: machine !== null && machine.status !== 'gone' && machine.status !== 'deleting',
    isGone: machine === null || machine.status === 'gone',
    isVoid: machine?.status === 'failed' && own.every((row) => row.phase !== 'ready'),
    pauses: provider.capabilities.billsStopped ? [] : pausesOf(rows, rental.resourceId, provider.capabilities),
  };
}

async function lookAtDisk(provider: CloudProvider, rental: Rental): Promise<Thing> {
  const volume = await provider.getVolume(rental.resourceId);
  const costs = volume !== null && volume.status !== 'trashed' && volume.status !== 'deleted';
  return {
    resource: 'volume',
    createdAtMs: volume?.createdAtMs ?? null,
    costs,
    isGone: !costs,
    isVoid: false,
    pauses: [],
  };
}

/** True when the provider may not list it yet. */
const isTooYoung = ({ capabilities }: CloudProvider, thing: Thing, rental: Rental, now: Date): boolean =>
  thing.createdAtMs === null && now.getTime() - rental.createdAt.getTime() <= capabilities.visibilityWindowMs;

function observe(
  provider: CloudProvider,
  thing: Thing,
  rental: Rental,
  rows: readonly OwnerRow[],
  now: Date,
): ProviderBill {
  if (thing.isVoid) return { state: 'void' };
  const fromMs = rental.billedFrom?.getTime() ?? thing.createdAtMs ?? rental.createdAt.getTime();
  const isHere = thing.costs || isTooYoung(provider, thing, rental, now);
  const untilMs = isHere ? null : Math.max(fromMs, endOf(rental, rows, thing.resource, now));
  return { state: 'billed', fromMs, untilMs, ...(thing.pauses.length === 0 ? {} : { pauses: thing.pauses }) };
}

/** End of billing without a record: as noticed before, else when the instance stopped naming it, else now. */
function endOf(rental: Rental, rows: readonly OwnerRow[], resource: Thing['resource'], now: Date): number {
  const leftMs = resource === 'instance' ? leftAtMs(rows, rental.resourceId) : null;
  return rental.billedUntil?.getTime() ?? leftMs ?? now.getTime();
}

const isOver = (rows: readonly OwnerRow[]): boolean => {
  const last = rows.at(-1);
  return last === undefined || isFinal(last.phase);
};

/** When the history stopped naming a machine; null = it never did, or still does. */
export function leftAtMs(rows: readonly OwnerRow[], providerId: string): number | null {
  const last = rows.findLastIndex((row) => row.providerId === providerId);
  return last === -1 ? null : (rows[last + 1]?.atMs ?? null);
}

/** Times when a machine was stopped, from its history: until it was started, perhaps as another type. */
function pausesOf(
  rows: readonly OwnerRow[],
  providerId: string,
  { stoppedUsdPerHour }: CloudProvider['capabilities'],
): readonly BillPause[] {
  const price = stoppedUsdPerHour === undefined ? {} : { usdPerHour: stoppedUsdPerHour };
  const own = rows.filter((row) => row.providerId === providerId);
  return own.flatMap((row, index): BillPause[] => {
    if (row.phase !== 'suspended' || own[index - 1]?.phase === 'suspended') return [];
    const start = own.findIndex(({ phase }, at) => at > index && phase !== 'suspended' && phase !== 'waking');
    const started = own[start];
    if (started === undefined) return [{ fromMs: row.atMs, untilMs: null, ...price }];
    const pause = { fromMs: row.atMs, untilMs: started.atMs, ...price };
    const { instanceType } = started;
    if (instanceType === row.instanceType) return [pause];
    // The price is seen, and frozen, after the machine has come to run.
    const stop = own.findIndex(({ phase }, at) => at > start && phase === 'suspended');
    const priced = own.slice(start, stop === -1 ? undefined : stop).findLast(({ usdPerHour }) => usdPerHour !== null);
    return [
      {
        ...pause,
        ...(priced?.usdPerHour ? { usdPerHourAfter: priced.usdPerHour } : {}),
        ...(instanceType === null ? {} : { instanceTypeAfter: instanceType }),
      },
    ];
  });
}
