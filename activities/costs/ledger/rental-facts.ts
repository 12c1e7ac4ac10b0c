/** Reads the facts that determine the ledger lines of a rental. */
import { z } from 'zod';
import type { BillPause } from '../../../domain/fleet/provider/billing.ts';
import { isFinal, phaseOf } from '../../../domain/fleet/phases.ts';
import { parseOfferKey } from '../../../domain/fleet/selection/offer.ts';
import { nanosOf } from '../../../domain/costs/ledger/amounts.ts';
import type {
  BillingInterval,
  CallSpan,
  OwnerRow,
  RentalFacts,
  RentalTerms,
} from '../../../domain/costs/ledger/facts.ts';
import { endOfOpenAttempt, LONGEST_CALL_MS } from '../../../domain/costs/ledger/open-attempts.ts';
import type { CallAttempt, Rental } from '../../../generated/prisma/client.ts';
import type { Transaction } from '../../../platform/db.ts';

/** Price columns of a rental. */
export type PricedRental = Pick<
  Rental,
  | 'resource'
  | 'resourceId'
  | 'location'
  | 'market'
  | 'priceUsdPerHour'
  | 'onDemandUsdPerHour'
  | 'quantumSec'
  | 'refundsUnused'
>;

/** Price and billing rules from a rental's row. */
export function termsOf(rental: PricedRental): RentalTerms {
  const nanoUsdPerHour = nanosOf(rental.priceUsdPerHour);
  const onDemand = rental.onDemandUsdPerHour;
  return {
    resource: rental.resource === 'volume' ? 'volume' : 'instance',
    resourceId: rental.resourceId,
    location: rental.location,
    nanoUsdPerHour,
    savedNanoUsdPerHour: rental.market === 'spot' && onDemand !== null ? nanosOf(onDemand) - nanoUsdPerHour : 0n,
    quantumSec: rental.quantumSec,
    refundsUnused: rental.refundsUnused,
  };
}

const pausesSchema = z.array(
  z.object({
    fromMs: z.number(),
    untilMs: z.number().nullable(),
    usdPerHour: z.number().exactOptional(),
    usdPerHourAfter: z.number().exactOptional(),
    instanceTypeAfter: z.string().exactOptional(),
  }),
);

/** Billing interval columns of a rental. */
export type BilledRental = Pick<Rental, 'billedFrom' | 'billedUntil' | 'pauses'>;

/** Billing pauses from a rental's row. */
export const pausesIn = ({ pauses }: Pick<Rental, 'pauses'>): readonly BillPause[] => pausesSchema.parse(pauses);

/** Billing interval from a rental's row; null = not known. */
export const billIn = (rental: BilledRental): BillingInterval | null =>
  rental.billedFrom === null
    ? null
    : {
        fromMs: rental.billedFrom.getTime(),
        untilMs: rental.billedUntil?.getTime() ?? null,
        pauses: pausesIn(rental),
      };

/** What is asked for. */
export interface FactsWanted {
  /** Replaces the row's billing interval where a newer one is known. */
  readonly bill?: BillingInterval | null;
  /** Calls that began later are left out. */
  readonly callsBefore?: Date;
}

/** The facts of a rental as of a time. */
export async function loadFacts(
  db: Transaction,
  rental: PricedRental & BilledRental & Pick<Rental, 'provider' | 'instanceName' | 'settledUntil'>,
  now: Date,
  { bill = billIn(rental), callsBefore = now }: FactsWanted = {},
): Promise<RentalFacts> {
  const settledUntilMs = rental.settledUntil?.getTime() ?? null;
  const rows = rental.instanceName === null ? [] : await loadRows(db, rental.provider, rental.instanceName);
  const fromMs = settledUntilMs ?? bill?.fromMs ?? now.getTime();
  const calls =
    rental.instanceName === null || rows.length === 0 || bill === null
      ? []
      : await loadCalls(db, rental.instanceName, rows, { fromMs, before: callsBefore, now });
  return { terms: termsOf(rental), bill, settledUntilMs, rows, calls };
}

/** History of an instance, oldest first. A server that runs already is a machine of its own name for as long as it is kept. */
export async function loadRows(db: Transaction, provider: string, instanceName: string): Promise<readonly OwnerRow[]> {
  const rows = await db.instanceTransition.findMany({
    where: { instanceName },
    orderBy: { position: 'asc' },
    select: {
      at: true,
      toPhase: true,
      providerId: true,
      volumeIds: true,
      offerKey: true,
      priceUsdPerHour: true,
      loadMs: true,
    },
  });
  return rows.map((row): OwnerRow => {
    const phase = phaseOf(row.toPhase);
    const ownName = provider === 'static' && !isFinal(phase) ? instanceName : null;
    return {
      atMs: row.at.getTime(),
      phase,
      providerId: row.providerId ?? ownName,
      volumeIds: row.volumeIds,
      location: row.offerKey === null ? null : parseOfferKey(row.offerKey).location,
      instanceType: row.offerKey === null ? null : parseOfferKey(row.offerKey).instanceType,
      usdPerHour: row.priceUsdPerHour?.toNumber() ?? null,
      loadMs: row.loadMs,
    };
  });
}

async function loadCalls(
  db: Transaction,
  instanceName: string,
  rows: readonly OwnerRow[],
  { fromMs, before, now }: { readonly fromMs: number; readonly before: Date; readonly now: Date },
): Promise<readonly CallSpan[]> {
  const attempts = await db.callAttempt.findMany({
    where: {
      instanceName,
      startedAt: { gt: new Date(fromMs - LONGEST_CALL_MS), lte: before },
      OR: [{ endedAt: null }, { endedAt: { gt: new Date(fromMs) } }],
    },
  });
  const open = attempts.filter((attempt) => attempt.endedAt === null);
  const traces = open.length === 0 ? null : await loadTraces(db, instanceName, open);
  return attempts.map((attempt): CallSpan => {
    const startedAtMs = attempt.startedAt.getTime();
    const ended = attempt.endedAt?.getTime();
    const untilMs =
      ended ??
      endOfOpenAttempt(
        {
          startedAtMs,
          nextAttemptAtMs: traces?.nextOf(attempt) ?? null,
          serving: traces?.serving ?? null,
          rows,
        },
        now.getTime(),
      );
    return { ...ownerOf(attempt), fromMs: startedAtMs, untilMs, loadMs: attempt.loadMs };
  });
}

async function loadTraces(db: Transaction, instanceName: string, open: readonly CallAttempt[]) {
  const [serving, later] = await Promise.all([
    db.instanceServing.findUnique({ where: { instanceName }, select: { startedAt: true, seenAt: true } }),
    db.callAttempt.findMany({
      where: { callId: { in: [...new Set(open.map((attempt) => attempt.callId))].filter((id) => id !== '') } },
      select: { callId: true, startedAt: true },
    }),
  ]);
  return {
    serving: serving === null ? null : { startedAtMs: serving.startedAt.getTime(), seenAtMs: serving.seenAt.getTime() },
    nextOf: ({ callId, startedAt }: CallAttempt): number | null => {
      const next = later.flatMap((one) =>
        one.callId === callId && one.startedAt > startedAt ? [one.startedAt.getTime()] : [],
      );
      return next.length === 0 ? null : Math.min(...next);
    },
  };
}

/** Owner of an attempt. For a deleted deck only tenant and task are left. */
const ownerOf = ({ tenantId, deckId, analysisId, task, callId, slideNumber }: CallAttempt) => ({
  tenantId,
  deckId: deckId === '' ? null : deckId,
  analysisId: analysisId === '' ? null : analysisId,
  task,
  callId: callId === '' ? null : callId,
  slideNumber,
});
