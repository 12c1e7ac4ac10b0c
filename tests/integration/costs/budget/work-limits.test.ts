/** Whose work has nothing bought: soft caps, caps of tenants and documents, and what decks and operators are told. */
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { budgetUse } from '../../../../activities/costs/budget/usage.ts';
import { deckCap, readLimits, type DemandLimits } from '../../../../activities/costs/budget/work-limits.ts';
import { BudgetCheck } from '../../../../activities/costs/budget/check-create.ts';
import { readPoolBudget } from '../../../../activities/costs/budget/pool-allowance.ts';
import { USUAL_BILLING } from '../../../../activities/costs/budget/reservations.ts';
import { hasWorkFor, readDemand, wantingAnalyses } from '../../../../activities/fleet/pool/demand.ts';
import { rememberOutcome } from '../../../../activities/fleet/selection/offer-blocks.ts';
import { capacityReason } from '../../../../activities/decks/waiting/capacity.ts';
import { poolConfigSchema } from '../../../../domain/fleet/pool/pool-config.ts';
import type { Analysis, Prisma, PrismaClient } from '../../../../generated/prisma/client.ts';
import { itWithFreshDatabase as it } from '../../../../testing/database.ts';
import {
  ago,
  aHistory,
  aLedgerEntry,
  anAnalysis,
  anInstance,
  aPool,
  aRental,
  callAttemptRow,
  modelCalls,
  NOW,
  OFFER,
  TENANT,
} from '../../../../testing/make.ts';

const TIMEZONE = 'Europe/Berlin';
const pool = poolConfigSchema.parse({ name: 'visual', classes: ['gpu-visual'] });
const limits = (db: PrismaClient): Promise<DemandLimits> =>
  readLimits(db, { bill: USUAL_BILLING, timezone: TIMEZONE, now: NOW });
const budget = (db: PrismaClient, values: Omit<Prisma.BudgetUncheckedCreateInput, 'id'>) =>
  db.budget.create({ data: { id: randomUUID(), ...values } });

/** So much of the ledger for an analysis, settled from an hour before until the given seconds ago. */
async function spent(db: PrismaClient, usd: string, { tenantId, deckId, id }: Analysis, untilSec = 60): Promise<void> {
  const untilAt = ago(untilSec);
  const settled = { billedUntil: untilAt, settledUntil: untilAt, settledUsd: usd, closedAt: NOW };
  const { id: rentalId } = await aRental(db, settled);
  const of = { tenantId, deckId, analysisId: id };
  await aLedgerEntry(db, { rentalId, fromAt: ago(3600), untilAt, shareSeconds: '100', amountUsd: usd, ...of });
}

async function deckOf(db: PrismaClient, tenantId: string, priority = 3): Promise<Analysis> {
  const analysis = await anAnalysis(db, { deck: { pageCount: 10 }, tenantId, priority });
  await modelCalls(db, analysis, 2, { tenantId, priority });
  return analysis;
}
const openCalls = async (db: PrismaClient): Promise<number> =>
  (await readDemand(db, ['gpu-visual'], NOW, await limits(db))).openCalls;

it('a soft cap of the installation leaves only work of priority 1 and 2 in the demand', async ({ db }) => {
  const usual = await deckOf(db, TENANT);
  const urgent = await deckOf(db, TENANT, 2);
  await budget(db, { scope: 'installation', period: 'day', softUsd: '5', hardUsd: '50' });
  expect(await openCalls(db)).toBe(4);
  await spent(db, '5.00', usual);
  expect(await limits(db)).toMatchObject({ urgentOnly: true });
  expect(await openCalls(db)).toBe(2);
  expect(await wantingAnalyses(db, [usual.id, urgent.id], await limits(db))).toEqual([urgent.id]);
  expect(await deckCap(db, usual.id, TIMEZONE, NOW)).toMatch(
    /soft cap of \$5\.00 for today .*\$5\.00 spent.*2026-11-22 00:00 Europe\/Berlin.*--scope installation --period day --soft/u,
  );
  expect(await deckCap(db, urgent.id, TIMEZONE, NOW)).toBeNull();
});

it('a soft cap of a tenant leaves the work of others as it is', async ({ db }) => {
  await db.tenant.create({ data: { id: 'acme', name: 'Acme' } });
  const over = await deckOf(db, 'acme');
  const other = await deckOf(db, TENANT);
  await budget(db, { scope: 'tenant', period: 'month', softUsd: '1' });
  await spent(db, '1.00', over);
  expect(await openCalls(db)).toBe(2);
  expect(await deckCap(db, over.id, TIMEZONE, NOW)).toContain('the soft cap of $1.00 of tenant acme for this month');
  expect(await deckCap(db, other.id, TIMEZONE, NOW)).toBeNull();
});

it('a hard cap of a tenant holds all of its work, of any priority, until the window is over', async ({ db }) => {
  const over = await deckOf(db, TENANT, 1);
  await budget(db, { scope: 'tenant', scopeId: TENANT, period: 'day', hardUsd: '2' });
  await spent(db, '1.99', over);
  expect(await openCalls(db)).toBe(2);
  await spent(db, '0.01', over);
  expect(await openCalls(db)).toBe(0);
  expect(await hasWorkFor(db, ['gpu-visual'], NOW, await limits(db))).toBe(false);
  const tomorrow = new Date(NOW.getTime() + 24 * 3_600_000);
  expect(await readLimits(db, { bill: USUAL_BILLING, timezone: TIMEZONE, now: tomorrow })).toMatchObject({
    closedTenants: [],
  });
});

it('a hard cap of a document counts all that its deck ever cost, and names no time', async ({ db }) => {
  const dear = await deckOf(db, TENANT);
  const cheap = await deckOf(db, TENANT);
  await budget(db, { scope: 'document', period: 'document', hardUsd: '0.10' });
  await spent(db, '0.06', dear, 40 * 24 * 3600);
  expect(await openCalls(db)).toBe(4);
  await spent(db, '0.06', dear);
  expect(await limits(db)).toMatchObject({ closedDecks: [dear.deckId] });
  expect(await openCalls(db)).toBe(2);
  const limit = await deckCap(db, dear.id, TIMEZONE, NOW);
  expect(limit).toMatch(
    /hard cap of \$0\.1000 for one document .*\$0\.1200 spent.*--scope document --period document --hard/u,
  );
  expect(limit).not.toContain(TIMEZONE);
  expect(await deckCap(db, cheap.id, TIMEZONE, NOW)).toBeNull();
  const uses = await budgetUse(db, NOW, TIMEZONE);
  expect(uses.find((use) => use.subject === dear.deckId)).toMatchObject({ level: 'hard' });
  expect(uses.find((use) => use.subject === cheap.deckId)).toMatchObject({ level: 'open', usedShare: 0 });
});

it('a hard cap counts calls that the ledger has not settled yet', async ({ db }) => {
  const deck = await deckOf(db, TENANT);
  await budget(db, { scope: 'tenant', period: 'day', hardUsd: '0.40' });
  const machine = { priceUsdPerHour: '2', providerId: 'm-1' };
  await anInstance(db, { phaseSince: ago(700), ...machine });
  await aHistory(db, 'visual-1', [
    { at: ago(800), toPhase: 'booting', ...machine },
    { at: ago(700), toPhase: 'ready', ...machine },
  ]);
  expect(await limits(db)).toMatchObject({ closedTenants: [] });
  const of = { analysisId: deck.id, deckId: deck.deckId };
  const times = [{ startedAt: ago(700), endedAt: ago(100) }, { startedAt: ago(100) }];
  const calls = times.map((time) => callAttemptRow({ callId: randomUUID(), ...of, ...time }));
  await db.callAttempt.createMany({ data: calls });
  expect(await limits(db)).toMatchObject({ closedTenants: [TENANT] });
  const [use] = await budgetUse(db, NOW, TIMEZONE);
  // The boot was for its work too.
  expect(use?.spentUsd.toNumber()).toBeCloseTo((800 / 3600) * 2, 6);
});

const checkOf = (db: PrismaClient) =>
  new BudgetCheck({
    db,
    capabilities: { billing: { quantumSec: 600, refundsUnused: true }, billsStopped: true, volumeUsdPerGibMonth: 0.2 },
    accounting: { reserveMs: 900_000, timezone: TIMEZONE },
    now: () => NOW.getTime(),
  });
const moneyOf = (db: PrismaClient, budget: BudgetCheck) =>
  readPoolBudget({ db, budget: budget, fleet: { provider: 'datacrunch', pools: [pool] }, now: () => NOW })('visual');
const money = (db: PrismaClient) => moneyOf(db, checkOf(db));

it('a pool keeps no machine for work over its cap; operators read whose it is, other decks do not', async ({ db }) => {
  await aPool(db, { nextLookAt: NOW });
  const over = await deckOf(db, TENANT);
  await budget(db, { scope: 'tenant', period: 'day', hardUsd: '1' });
  await spent(db, '1', over);
  const seen = await money(db);
  expect(seen?.money).toMatchObject({ onlyOverBudget: true, message: null, unpaid: [] });
  expect(seen?.money.limited[0]).toContain(`of tenant ${TENANT} for today is reached`);
  expect((await db.fleetPool.findUniqueOrThrow({ where: { name: 'visual' } })).budgetMessage).toBeNull();
  await db.tenant.create({ data: { id: 'acme', name: 'Acme' } });
  await deckOf(db, 'acme');
  expect((await money(db))?.money).toMatchObject({ onlyOverBudget: false });
});

it('a pool leaves out work that came since its last look, of a tenant or a deck over its cap', async ({ db }) => {
  await aPool(db, { nextLookAt: NOW });
  await budget(db, { scope: 'tenant', period: 'day', hardUsd: '0' });
  const check = checkOf(db);
  expect((await moneyOf(db, check))?.limits).toMatchObject({ closedTenants: [], closedDecks: [] });
  const over = await deckOf(db, TENANT);
  expect((await moneyOf(db, check))?.limits).toMatchObject({ closedTenants: [TENANT] });
  await budget(db, { scope: 'document', period: 'document', hardUsd: '0' });
  await deckOf(db, TENANT);
  expect((await moneyOf(db, check))?.limits.closedDecks).toHaveLength(2);
  expect((await moneyOf(db, check))?.limits.closedDecks).toContain(over.deckId);
});

it('scenario 33: an empty account is told to operators and decks until the provider is asked again', async ({ db }) => {
  await aPool(db, { nextLookAt: NOW });
  await rememberOutcome(db, OFFER, { errorClass: 'billing', message: 'Insufficient funds' }, NOW.getTime());
  const message = (await money(db))?.money.message ?? '';
  expect(message).toMatch(/Insufficient funds.*Top up/u);
  const { budgetMessage } = await db.fleetPool.findUniqueOrThrow({ where: { name: 'visual' } });
  const seen = {
    name: 'visual',
    classes: ['gpu-visual'],
    reasons: [],
    nextLookAtMs: null,
    instances: [],
    budgetMessage,
  };
  expect(capacityReason([seen], 'gpu-visual', NOW.getTime())).toBe(message.replace(/\.$/u, ''));
  // A machine that runs finishes its work, whatever the account says.
  const ready = { name: 'visual-1', phase: 'ready' as const, phaseSinceMs: 0, reason: '' };
  expect(capacityReason([{ ...seen, instances: [ready] }], 'gpu-visual', NOW.getTime())).toBe(
    'a free place at visual-1',
  );
  await rememberOutcome(db, OFFER, null, NOW.getTime());
  await db.offerBlock.updateMany({ data: { blockedUntil: ago(1) } });
  expect((await money(db))?.money.message).toBeNull();
});
