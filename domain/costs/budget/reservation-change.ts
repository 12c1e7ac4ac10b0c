/**
 * The end of reservations. What a reservation becomes is derived from the records of its create and its instance, so a crash between two
 * steps leaves no money reserved forever and releases none too early.
 */
import { Decimal } from 'decimal.js';

/** An amount as the database returns it. */
type Amount = { toString(): string };

/** Id of the reservation of a machine's disk. */
export const diskReservationId = (intentId: string): string => `${intentId}/disk`;
/** Id of the reservation of a stopped machine that is started again. */
export const startReservationId = (intentId: string, atMs: number): string => `${intentId}/start-${atMs}`;
/** The create that a reservation belongs to: `<instance>/<attempt>`. */
export const intentIdOf = (reservationId: string): string => reservationId.split('/').slice(0, 2).join('/');

/** The changed fields of a reservation. */
export interface ReservationChange<Price extends Amount> {
  readonly resourceId?: string | null;
  readonly releasedAt?: Date;
  readonly reservedUntil?: Date;
  readonly priceUsdPerHour?: Price;
}

/** The facts that decide what a reservation becomes: the columns of its row, its create and its instance. */
export interface ReservationFacts<Price extends Amount> {
  readonly row: {
    readonly id: string;
    readonly resource: string;
    readonly resourceId: string | null;
    readonly fromAt: Date;
    readonly priceUsdPerHour: Price;
  };
  readonly intent: { readonly state: string; readonly providerId: string | null; readonly settledAt: Date | null };
  readonly instance: {
    readonly name: string;
    readonly attempts: number;
    readonly providerId: string | null;
    readonly phase: string;
    readonly phaseSince: Date;
    readonly osVolumeId: string | null;
    readonly keptVolumeLocation: string | null;
    readonly endedAt: Date | null;
    readonly priceUsdPerHour: Price | null;
  };
  /** True where the provider bills stopped machines. */
  readonly billsStopped: boolean;
  /** Billing block that is charged in full after a machine ends, ms. */
  readonly blockMs: number;
}

/** The change of an open reservation; null = none. */
export function reservationChange<Price extends Amount>(
  facts: ReservationFacts<Price>,
): ReservationChange<Price> | null {
  const { row, intent } = facts;
  if (
    intent.settledAt !== null &&
    intent.providerId === null &&
    (intent.state === 'refused' || intent.state === 'gone')
  )
    // No machine was created.
    return { releasedAt: intent.settledAt, reservedUntil: row.fromAt };
  return row.resource === 'volume' ? diskChange(facts) : machineChange(facts);
}

function machineChange<Price extends Amount>({
  row,
  intent,
  instance,
  billsStopped,
  blockMs,
}: ReservationFacts<Price>): ReservationChange<Price> | null {
  const ended = (at: Date): ReservationChange<Price> => ({
    resourceId: intent.providerId,
    releasedAt: at,
    reservedUntil: new Date(Math.max(at.getTime(), row.fromAt.getTime()) + blockMs),
  });
  if (intent.state === 'gone' && intent.settledAt !== null) return ended(intent.settledAt);
  const isOurs = instance.providerId !== null && instance.providerId === intent.providerId;
  if (isOurs && instance.phase === 'suspended' && !billsStopped) return ended(instance.phaseSince);
  const sold = isOurs ? instance.priceUsdPerHour : null;
  const isHigher = sold !== null && new Decimal(sold.toString()).greaterThan(row.priceUsdPerHour.toString());
  if (row.resourceId === intent.providerId && !isHigher) return null;
  return { resourceId: intent.providerId, ...(isHigher ? { priceUsdPerHour: sold } : {}) };
}

function diskChange<Price extends Amount>({
  row,
  intent,
  instance,
}: ReservationFacts<Price>): ReservationChange<Price> | null {
  const isOurs = instance.providerId !== null && instance.providerId === intent.providerId;
  // The disk was first listed when its machine had ended: it belongs to the last create.
  const isLeft = instance.providerId === null && intentIdOf(row.id) === `${instance.name}/${instance.attempts}`;
  const resourceId = row.resourceId ?? (isOurs || isLeft ? instance.osVolumeId : null);
  const ended = (at: Date): ReservationChange<Price> => ({
    resourceId,
    releasedAt: at,
    reservedUntil: at < row.fromAt ? row.fromAt : at,
  });
  if (instance.endedAt !== null) return ended(instance.endedAt);
  // While an instance wakes with a new disk, its row names the new disk only; the kept disk still exists.
  const isElsewhere = instance.providerId !== null && instance.keptVolumeLocation !== null;
  const isKept = resourceId !== null && (resourceId === instance.osVolumeId || isElsewhere);
  if (intent.state === 'gone' && intent.settledAt !== null && !isKept) return ended(intent.settledAt);
  return resourceId === row.resourceId ? null : { resourceId };
}
