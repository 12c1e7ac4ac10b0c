/** A line of the ledger as the row that is stored. */
import { Decimal } from 'decimal.js';
import { usdOf } from '../../../domain/costs/ledger/amounts.ts';
import { LEDGER_CURRENCY, type LedgerLine } from '../../../domain/costs/ledger/facts.ts';
import { typeAt, type BillPause } from '../../../domain/fleet/provider/billing.ts';
import type { Prisma, Rental } from '../../../generated/prisma/client.ts';

const MICROS_PER_SECOND = 1_000_000;

/** Seconds of a share of time. */
export const secondsOf = (micros: bigint): Decimal => new Decimal(micros.toString()).div(MICROS_PER_SECOND);

/**
 * The row of a line.
 *
 * @param pauses of the rental's bill
 * @param kept decks whose ids may stand in it
 */
export function entryRow(
  rental: Pick<Rental, 'id' | 'provider' | 'pool' | 'instanceName' | 'instanceType' | 'location' | 'market'>,
  position: number,
  line: LedgerLine,
  { pauses, kept }: { readonly pauses: readonly BillPause[]; readonly kept: ReadonlySet<string> },
): Prisma.LedgerEntryCreateManyInput {
  const { owner } = line;
  const isKept = owner !== null && owner.deckId !== null && kept.has(owner.deckId);
  return {
    id: `${rental.id}/${position}`,
    rentalId: rental.id,
    position,
    kind: line.kind,
    fromAt: new Date(line.fromMs),
    untilAt: new Date(line.untilMs),
    shareSeconds: secondsOf(line.shareMicros).toFixed(),
    amountUsd: usdOf(line.nanoUsd).toFixed(),
    currency: LEDGER_CURRENCY,
    spotSavingUsd: usdOf(line.savedNanoUsd).toFixed(),
    provider: rental.provider,
    pool: rental.pool,
    instanceName: rental.instanceName,
    instanceType: typeAt(rental.instanceType, pauses, line.fromMs),
    location: rental.location,
    market: rental.market,
    tenantId: owner?.tenantId ?? null,
    task: owner?.task ?? null,
    deckId: isKept ? owner.deckId : null,
    analysisId: isKept ? owner.analysisId : null,
    callId: isKept ? owner.callId : null,
    slideNumber: isKept ? owner.slideNumber : null,
  };
}
