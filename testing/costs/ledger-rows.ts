/**
 * A ledger made up from a seed: rentals with entries of every kind, of several tenants, decks and analyses and of none, cut at quarter
 * hours as the real one is. Nothing of it is balanced; it is for what reads ledgers.
 */
import type { PrismaClient } from '../../generated/prisma/client.ts';
import { LEDGER_KINDS } from '../../domain/costs/ledger/facts.ts';
import { MODEL_TASK_NAMES } from '../../domain/models/model-tasks.ts';
import { seededRandom } from '../../samples/generator/random.ts';

/** Size and place of a made-up ledger. */
export interface MadeUpLedger {
  readonly seed: number;
  readonly fromMs: number;
  readonly untilMs: number;
  readonly entries: number;
  /** Longest time of an entry; none crosses a quarter hour. */
  readonly longestMs?: number;
  readonly tenants?: readonly string[];
  readonly provider?: string;
}

const QUARTER_MS = 15 * 60_000;
const DECKS_PER_TENANT = 12;

/** Writes the rows. */
export async function writeMadeUpLedger(db: PrismaClient, wanted: MadeUpLedger): Promise<void> {
  const { seed, fromMs, untilMs, entries, longestMs = QUARTER_MS, tenants = ['default', 'other'] } = wanted;
  const provider = wanted.provider ?? 'simulated';
  const random = seededRandom(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const machines = ['gpu', 'text'].flatMap((pool) =>
    ['spot', 'on-demand'].map((market) => ({ pool, market, instanceType: pick(['1H100.80S.30V', '1A100.22V']) })),
  );
  const rentals = machines.map((machine, i) => ({ id: `${provider}/instance/made-up-${seed}-${i}`, ...machine }));
  await db.rental.createMany({
    data: rentals.map(({ id, pool, market, instanceType }) => ({
      id,
      provider,
      resource: 'instance',
      resourceId: id,
      instanceName: id,
      pool,
      market,
      instanceType,
      priceUsdPerHour: '2.5',
      onDemandUsdPerHour: '2.5',
      quantumSec: 600,
      refundsUnused: true,
      billedFrom: new Date(fromMs),
      billedUntil: new Date(untilMs),
      settledUntil: new Date(untilMs),
      closedAt: new Date(untilMs),
    })),
  });
  const rows = Array.from({ length: entries }, (_, position) => {
    const rental = pick(rentals);
    const atMs = fromMs + Math.floor(random() * (untilMs - fromMs));
    const quarterEndMs = (Math.floor(atMs / QUARTER_MS) + 1) * QUARTER_MS;
    const endMs = Math.min(quarterEndMs, untilMs, atMs + 1 + Math.floor(random() * longestMs));
    const kind = pick(LEDGER_KINDS);
    const tenantId = pick([...tenants, null]);
    const deck = Math.floor(random() * DECKS_PER_TENANT);
    // One deck of each tenant is deleted by now: its ids are gone, its tenant is not.
    const owned = tenantId === null || deck === 0 ? {} : { deckId: `deck-${tenantId}-${deck}` };
    const analysis = owned.deckId === undefined ? {} : { analysisId: `analysis-${tenantId}-${deck}-${pick([1, 2])}` };
    return {
      id: `${rental.id}/${position}`,
      rentalId: rental.id,
      position,
      kind,
      fromAt: new Date(atMs),
      untilAt: new Date(endMs),
      shareSeconds: (random() * 900).toFixed(6),
      // Nine places, so that any sum that is not exact shows.
      amountUsd: (random() * 0.5).toFixed(9),
      spotSavingUsd: rental.market === 'spot' ? (random() * 0.2).toFixed(9) : '0',
      provider,
      pool: rental.pool,
      instanceName: rental.id,
      instanceType: kind === 'storage' || kind === 'suspended' ? null : rental.instanceType,
      market: rental.market,
      tenantId,
      ...owned,
      ...analysis,
      task: tenantId === null ? null : pick(MODEL_TASK_NAMES),
    };
  });
  await db.ledgerEntry.createMany({ data: rows });
}
