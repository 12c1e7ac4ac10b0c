/**
 * What becomes of reservations when their machine ends, or never came to be: decided from the records of its create and its instance, so that
 * a crash between two steps leaves nothing reserved for ever and nothing free too early.
 */
import type { BudgetReservation, CreateIntent, FleetInstance } from '../../../generated/prisma/client.ts';

/** Name of the reservation of a machine's disk. */
export const diskReservationId = (intentId: string): string => `${intentId}/disk`;
/** Name of the reservation of a stopped machine that is started again. */
export const startReservationId = (intentId: string, atMs: number): string => `${intentId}/start-${atMs}`;
/** The create that a reservation belongs to: `<instance>/<attempt>`. */
export const intentIdOf = (reservationId: string): string => reservationId.split('/').slice(0, 2).join('/');

/** What changes of a reservation. */
export type ReservationChange = Partial<
  Pick<BudgetReservation, 'resourceId' | 'releasedAt' | 'reservedUntil' | 'priceUsdPerHour'>
>;

/** What a reservation is judged by. */
export interface ReservationFacts {
  readonly row: BudgetReservation;
  readonly intent: Pick<CreateIntent, 'state' | 'providerId' | 'settledAt' | 'fromVolumeId'>;
  readonly instance: Pick<
    FleetInstance,
    | 'name'
    | 'attempts'
    | 'providerId'
    | 'phase'
    | 'phaseSince'
    | 'osVolumeId'
    | 'keptVolumeLocation'
    | 'endedAt'
    | 'priceUsdPerHour'
  >;
  /** Of the provider. */
  readonly billsStopped: boolean;
  /** A block that is charged in full after the end of a machine, ms. */
  readonly blockMs: number;
}

/** What an open reservation becomes; null = it stays as it is. */
export function settledReservation(facts: ReservationFacts): ReservationChange | null {
  const { row, intent } = facts;
  if (
    intent.settledAt !== null &&
    intent.providerId === null &&
    (intent.state === 'refused' || intent.state === 'gone')
  )
    // Nothing was bought.
    return { releasedAt: intent.settledAt, reservedUntil: row.fromAt };
  return row.resource === 'volume' ? settledDisk(facts) : settledMachine(facts);
}

function settledMachine({ row, intent, instance, billsStopped, blockMs }: ReservationFacts): ReservationChange | null {
  const ended = (at: Date): ReservationChange => ({
    resourceId: intent.providerId,
    releasedAt: at,
    reservedUntil: new Date(Math.max(at.getTime(), row.fromAt.getTime()) + blockMs),
  });
  if (intent.state === 'gone' && intent.settledAt !== null) return ended(intent.settledAt);
  const isOurs = instance.providerId !== null && instance.providerId === intent.providerId;
  if (isOurs && instance.phase === 'suspended' && !billsStopped) return ended(instance.phaseSince);
  const sold = isOurs ? instance.priceUsdPerHour : null;
  const dearer = sold !== null && sold.greaterThan(row.priceUsdPerHour.toString());
  if (row.resourceId === intent.providerId && !dearer) return null;
  return { resourceId: intent.providerId, ...(dearer ? { priceUsdPerHour: sold } : {}) };
}

function settledDisk({ row, intent, instance }: ReservationFacts): ReservationChange | null {
  const isOurs = instance.providerId !== null && instance.providerId === intent.providerId;
  // A machine whose disk was first seen as it went: the disk is what it left.
  const isLeft = instance.providerId === null && intentIdOf(row.id) === `${instance.name}/${instance.attempts}`;
  const resourceId = row.resourceId ?? (isOurs || isLeft ? instance.osVolumeId : null);
  const ended = (at: Date): ReservationChange => ({
    resourceId,
    releasedAt: at,
    reservedUntil: at < row.fromAt ? row.fromAt : at,
  });
  if (instance.endedAt !== null) return ended(instance.endedAt);
  // While it wakes cold, a machine's row shows the new disk only; the older one is still there.
  const isElsewhere = instance.providerId !== null && instance.keptVolumeLocation !== null;
  const isKept = resourceId !== null && (resourceId === instance.osVolumeId || isElsewhere);
  if (intent.state === 'gone' && intent.settledAt !== null && !isKept) return ended(intent.settledAt);
  return resourceId === row.resourceId ? null : { resourceId };
}
