/** What is left of a deleted deck in the books: what it cost, whose it was and what kind of work; never which deck, slide or call. */
import { expect } from 'vitest';
import { forgetCosts } from '../../../../activities/deletion/remove.ts';
import type { LedgerEntry, PrismaClient } from '../../../../generated/prisma/client.ts';
import { itWithDatabase as it } from '../../../../testing/database.ts';
import {
  runLedgerPlan,
  type LedgerLife,
  type LedgerPlan,
  type PlannedCall,
} from '../../../../testing/fleet/ledger-lives.ts';
import { emptyLedger, roundsOf, storeAttempts, storeDecks, storeHistory } from './ledger-database.ts';

it.beforeEach(async ({ db }) => {
  await emptyLedger(db);
  await storeDecks(db);
});

const SETTLED_FIRST_SEC = 3000;
const callAt = (atSec: number, deck: number): PlannedCall => ({
  atSec,
  seconds: 200,
  loadMs: 1000,
  writesEnd: true,
  deck,
  slide: 4,
  task: 'describe_slide',
});

/** One machine for an hour and a half that works for two decks all the time. */
const PLAN: LedgerPlan = {
  life: { seed: 3, commandFaults: [], faults: [], crashesAtSec: [] },
  billing: { quantumSec: 600, refundsUnused: true, from: 'created' },
  evictionsPerHour: 0,
  strategy: 'delete',
  spotFirst: false,
  requests: [],
  calls: Array.from({ length: 20 }, (_, index) => [callAt(300 + index * 240, 1), callAt(350 + index * 240, 2)]).flat(),
  orphans: [],
  settleAtSec: [SETTLED_FIRST_SEC],
  destroyAtSec: 5400,
};

const round = async (db: PrismaClient, all: LedgerLife): Promise<void> => {
  await storeHistory(db, all.life);
  await storeAttempts(
    db,
    all.life.state.name,
    all.attempts.filter((attempt) => attempt.deckId !== gone),
  );
  await roundsOf(db, all.life)();
};
/** Deck whose calls are written no more. */
let gone: string | null = null;

/** Deletes deck 1 as the deletion does: marked first, then taken out of the books with its analysis. */
async function deleteDeck(db: PrismaClient): Promise<void> {
  await db.deck.update({ where: { id: 'deck-1' }, data: { deletingAt: new Date() } });
  await db.$transaction(async (tx) => {
    await forgetCosts(tx, 'analysis-1');
    await tx.analysis.delete({ where: { id: 'analysis-1' } });
  });
  await db.deck.delete({ where: { id: 'deck-1' } });
}

const usd = (entries: readonly LedgerEntry[]): number => entries.reduce((sum, e) => sum + Number(e.amountUsd), 0);
const ofDeck1 = (db: PrismaClient) =>
  db.ledgerEntry.findMany({ where: { OR: [{ deckId: 'deck-1' }, { analysisId: 'analysis-1' }] } });

it('the costs of a deck that is deleted between two rounds stay with its tenant, before and after', async ({ db }) => {
  gone = null;
  let rounds = 0;
  let before: readonly LedgerEntry[] = [];
  const all = await runLedgerPlan(PLAN, async (now) => {
    if (rounds === 0) await round(db, now);
    else {
      await storeHistory(db, now.life);
      await roundsOf(db, now.life)();
      return;
    }
    rounds += 1;
    before = await ofDeck1(db);
    // Calls that the ledger has not settled yet are on record.
    await storeAttempts(db, now.life.state.name, now.attempts);
    await deleteDeck(db);
    expect(await ofDeck1(db)).toEqual([]);
    expect(await db.callAttempt.count({ where: { OR: [{ deckId: 'deck-1' }, { analysisId: 'analysis-1' }] } })).toBe(0);
  });
  expect(before.length).toBeGreaterThan(0);
  const after = await db.ledgerEntry.findMany({ where: { tenantId: 'tenant-1', deckId: null } });
  expect(after.every((e) => e.task === 'describe_slide' && e.callId === null && e.slideNumber === null)).toBe(true);
  expect(usd(after)).toBeGreaterThan(usd(before));
  expect(await ofDeck1(db)).toEqual([]);
  const total = usd(await db.ledgerEntry.findMany());
  expect(Math.abs(total - all.chargedUsd())).toBeLessThan(1e-6);
  // The other deck's are as they were.
  const kept = await db.ledgerEntry.findMany({ where: { deckId: 'deck-2', kind: 'busy' } });
  expect(kept.every((e) => e.analysisId === 'analysis-2' && e.slideNumber === 4)).toBe(true);
});

it('a round that runs while the deck is being deleted brings nothing of it back', async ({ db }) => {
  gone = null;
  await runLedgerPlan({ ...PLAN, settleAtSec: [] }, async (now) => {
    await storeHistory(db, now.life);
    await storeAttempts(db, now.life.state.name, now.attempts);
    const rounds = [roundsOf(db, now.life)(), deleteDeck(db), roundsOf(db, now.life)()];
    await Promise.all(rounds);
  });
  expect(await ofDeck1(db)).toEqual([]);
  const entries = await db.ledgerEntry.findMany({ where: { tenantId: 'tenant-1' } });
  expect(entries.length).toBeGreaterThan(0);
});

it('ledger entries stay as they are while no deck is deleted', async ({ db }) => {
  gone = null;
  await runLedgerPlan(PLAN, (now) => round(db, now));
  const [entry] = await db.ledgerEntry.findMany({ where: { kind: 'busy' }, take: 1 });
  if (entry === undefined) throw new Error('nothing was settled');
  const where = { id: entry.id };
  await expect(db.ledgerEntry.update({ where, data: { amountUsd: 0 } })).rejects.toThrow();
  await expect(db.ledgerEntry.update({ where, data: { tenantId: 'another' } })).rejects.toThrow();
  await expect(
    db.ledgerEntry.update({ where, data: { deckId: 'deck-3', analysisId: 'analysis-3' } }),
  ).rejects.toThrow();
  await expect(db.ledgerEntry.update({ where, data: { pool: 'another' } })).rejects.toThrow();
  await expect(db.ledgerEntry.delete({ where })).rejects.toThrow();
  const rental = { where: { id: entry.rentalId } };
  await expect(db.rental.update({ ...rental, data: { priceUsdPerHour: 0 } })).rejects.toThrow();
  await expect(db.rental.delete(rental)).rejects.toThrow();
  // What was taken away does not come back.
  const nothing = { deckId: null, analysisId: null, callId: null, slideNumber: null };
  await db.ledgerEntry.update({ where, data: nothing });
  await expect(db.ledgerEntry.update({ where, data: { deckId: entry.deckId } })).rejects.toThrow();
});
