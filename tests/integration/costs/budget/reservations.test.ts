/** Reservations beside the records of creates and instances: made with the intent, kept up, released, and right after every kind of end. */
import { expect } from 'vitest';
import { BudgetCheck } from '../../../../activities/costs/budget/check-create.ts';
import { recordIntent, settleIntent } from '../../../../activities/fleet/instance/create-intent.ts';
import { poolConfigSchema } from '../../../../domain/fleet/pool/pool-config.ts';
import type { Prisma, PrismaClient } from '../../../../generated/prisma/client.ts';
import { itWithFreshDatabase as it } from '../../../../testing/database.ts';
import { anInstance, aRental, aCreateIntent, OFFER } from '../../../../testing/make.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const START = Date.parse('2026-06-10T12:00:00Z');
const pool = poolConfigSchema.parse({ name: 'visual', classes: ['gpu-visual'] });
/** Of the default times: 1 min to the next look, twice a retry and a confirmation, 15 min of calls in flight. */
const WAY_OUT_MS = 18 * MINUTE_MS;
const DISK_WAY_OUT_MS = 3 * MINUTE_MS;
const RESERVE_MS = 15 * MINUTE_MS;

let nowMs = START;
it.beforeEach(async ({ db }) => {
  nowMs = START;
  await anInstance(db, { phase: 'creating', phaseSince: new Date(START), attempts: 1 });
});

const checkWith = (db: PrismaClient, billsStopped = true): BudgetCheck =>
  new BudgetCheck({
    db,
    capabilities: { billing: { quantumSec: 600, refundsUnused: true }, billsStopped, volumeUsdPerGibMonth: 0.2 },
    accounting: { reserveMs: RESERVE_MS, timezone: 'UTC' },
    now: () => nowMs,
  });
const cap = (db: PrismaClient, hardUsd: string, period = 'month') =>
  db.budget.upsert({
    where: { scope_scopeId_period: { scope: 'installation', scopeId: '*', period } },
    create: { id: period, scope: 'installation', period, hardUsd },
    update: { hardUsd },
  });
const intentOf = (attempt: number, priceUsdPerHour = 2, volumeId: string | null = null) => ({
  id: `visual-1/${attempt}`,
  hostname: `dh-t-visual-1-${attempt}`,
  offer: OFFER,
  priceUsdPerHour,
  volumeId,
});
const buyWith = (db: PrismaClient, budget: BudgetCheck, intent: ReturnType<typeof intentOf>) => {
  const reserve = (tx: Prisma.TransactionClient) => budget.reserve(tx, { instance: 'visual-1', pool, intent });
  return recordIntent(db, 'visual-1', intent, () => Promise.resolve(null), reserve);
};
const buy = (db: PrismaClient, attempt = 1, priceUsdPerHour = 2, volumeId: string | null = null) =>
  buyWith(db, checkWith(db), intentOf(attempt, priceUsdPerHour, volumeId));
const created = async (db: PrismaClient, attempt = 1, values: Prisma.FleetInstanceUncheckedUpdateInput = {}) => {
  const outcome = { kind: 'created', providerId: `m-${attempt}`, adopted: false, priceUsdPerHour: null } as const;
  await settleIntent(db, intentOf(attempt), outcome);
  const machine = { providerId: `m-${attempt}`, osVolumeId: 'disk-1', priceUsdPerHour: 2, attempts: attempt };
  await instanceIs(db, { phase: 'ready', ...machine, ...values });
};
const instanceIs = (db: PrismaClient, values: Prisma.FleetInstanceUncheckedUpdateInput) =>
  db.fleetInstance.update({ where: { name: 'visual-1' }, data: values });
/** A machine that was bought and is ready, or as these values say. */
const running = async (db: PrismaClient, values: Prisma.FleetInstanceUncheckedUpdateInput = {}) => {
  await buy(db);
  await created(db, 1, values);
};
const gone = (db: PrismaClient, attempt: number) =>
  db.createIntent.update({ where: { id: `visual-1/${attempt}` }, data: { state: 'gone', settledAt: new Date(nowMs) } });
const row = (db: PrismaClient, id: string) => db.budgetReservation.findUniqueOrThrow({ where: { id } });
const minutes = (date: Date): number => (date.getTime() - START) / MINUTE_MS;
const renew = (db: PrismaClient) => checkWith(db).renew(pool);

it('a purchase reserves the machine with its wind-down time, and its disk for longer', async ({ db }) => {
  expect(await buy(db)).toBeNull();
  const machine = await row(db, 'visual-1/1');
  expect(machine).toMatchObject({ resource: 'instance', instanceName: 'visual-1', pool: 'visual', releasedAt: null });
  expect(machine.reservedUntil.getTime() - START).toBe(RESERVE_MS + WAY_OUT_MS);
  const disk = await row(db, 'visual-1/1/disk');
  expect(disk.reservedUntil.getTime() - START).toBe(RESERVE_MS + WAY_OUT_MS + DISK_WAY_OUT_MS);
  expect(disk.priceUsdPerHour.toNumber()).toBeCloseTo(10 / 730, 6);
});

it('a purchase is the same when it is repeated: nothing is reserved twice', async ({ db }) => {
  await buy(db);
  expect(await buy(db)).toMatchObject({ kind: 'unknown' });
  expect(await db.budgetReservation.count()).toBe(2);
});

it('a purchase over a cap is refused with the reason and reserves nothing; a cheaper one is allowed', async ({
  db,
}) => {
  await cap(db, '0.80');
  expect(await buy(db, 1, 2)).toMatchObject({ kind: 'held_back', overBudget: true });
  expect(await db.budgetReservation.count()).toBe(0);
  const said = (await db.fleetPool.findUniqueOrThrow({ where: { name: 'visual' } })).budgetMessage ?? '';
  expect(said).toContain('the hard cap of $0.8000 for this month would be exceeded');
  expect(await buy(db, 2, 1)).toBeNull();
  expect((await db.fleetPool.findUniqueOrThrow({ where: { name: 'visual' } })).budgetMessage).toBeNull();
});

it('of a ladder only what can be paid is left; where nothing is, the answer says when to try again', async ({ db }) => {
  await cap(db, '0.80', 'hour');
  const offers = [3, 1, 2].map((priceUsdPerHour) => ({ priceUsdPerHour }));
  expect(await checkWith(db).affordable(pool, offers, null)).toEqual({
    offers: [{ priceUsdPerHour: 1 }],
    refusal: null,
  });
  await cap(db, '0.10', 'hour');
  const { offers: none, refusal } = await checkWith(db).affordable(pool, offers, null);
  expect(none).toEqual([]);
  expect(refusal?.message).toContain('for this hour');
  expect(refusal?.nextTryAtMs).toBe(START + MINUTE_MS);
});

it('a purchase refused by the provider, or never sent, costs nothing from then on', async ({ db }) => {
  await cap(db, '1.20');
  await buy(db);
  expect(await buy(db, 2)).toMatchObject({ kind: 'held_back' });
  await settleIntent(db, intentOf(1), { kind: 'refused', error: { errorClass: 'capacity', message: 'none' } });
  expect(await buy(db, 3)).toBeNull();
  expect((await row(db, 'visual-1/1')).releasedAt).not.toBeNull();
  await gone(db, 3);
  expect(await buy(db, 4)).toBeNull();
});

it('a reservation is made longer when half of it is used, as far as the cap allows', async ({ db }) => {
  await cap(db, '5');
  await running(db);
  nowMs += 5 * MINUTE_MS;
  expect(await renew(db)).toEqual([]);
  expect(minutes((await row(db, 'visual-1/1')).reservedUntil)).toBe(33);
  nowMs += 3 * MINUTE_MS;
  expect(await renew(db)).toEqual([]);
  expect(minutes((await row(db, 'visual-1/1')).reservedUntil)).toBe(8 + 33);
  expect(await row(db, 'visual-1/1')).toMatchObject({ resourceId: 'm-1' });
  expect(await row(db, 'visual-1/1/disk')).toMatchObject({ resourceId: 'disk-1' });
  // Room stays for its disk until the month ends, or for as long as disks are kept at most: a week.
  for (; (await renew(db)).length === 0; nowMs += MINUTE_MS) expect(minutes(new Date(nowMs))).toBeLessThan(90);
  const usd = ((await row(db, 'visual-1/1')).reservedUntil.getTime() - START) * (2 / HOUR_MS);
  expect(usd).toBeGreaterThan(5 - (10 / 730) * (24 * 7 + 2));
  expect(usd).toBeLessThan(5 - (10 / 730) * 24 * 7);
});

it('a machine has to go when only its wind-down time is paid for, and is reported until it has ended', async ({
  db,
}) => {
  await cap(db, '1.20');
  await running(db);
  nowMs += 14 * MINUTE_MS;
  expect(await renew(db)).toEqual([]);
  expect(await checkWith(db).isUnpaid('visual-1', pool)).toBe(false);
  nowMs += 2 * MINUTE_MS;
  expect(await renew(db)).toMatchObject([
    { instance: 'visual-1', phase: 'ready', reason: expect.stringContaining('hard cap of $1.20') },
  ]);
  expect(await checkWith(db).isUnpaid('visual-1', pool)).toBe(true);
  await cap(db, '20');
  expect(await renew(db)).toEqual([]);
  expect(await checkWith(db).isUnpaid('visual-1', pool)).toBe(false);
});

it('scenario 40: a machine sold above the catalogue price is reserved at its cost; operators are told', async ({
  db,
}) => {
  await cap(db, '20');
  await running(db, { priceUsdPerHour: 3 });
  expect(await renew(db)).toEqual([]);
  expect((await row(db, 'visual-1/1')).priceUsdPerHour.toNumber()).toBe(3);
  const [alert] = await db.alert.findMany();
  expect(alert?.message).toBe('visual-1 is billed at $3.000 an hour; the catalogue said $2.000.');
  await renew(db);
  expect(await db.alert.count()).toBe(1);
});

it('scenario 40: a machine sold at a hundred times the price goes at once; its offer is blocked', async ({ db }) => {
  await running(db, { priceUsdPerHour: 200 });
  expect(await renew(db)).toMatchObject([
    { instance: 'visual-1', reason: 'visual-1 is billed at $200.000 an hour; the catalogue said $2.000.' },
  ]);
  expect(await checkWith(db).isUnpaid('visual-1', pool)).toBe(true);
  const block = await db.offerBlock.findUniqueOrThrow({ where: { scopeKey: OFFER } });
  expect(block.blockedUntil.getTime()).toBeGreaterThan(nowMs);
});

it('one that was bought before there were reservations is counted from its beginning', async ({ db }) => {
  await aCreateIntent(db, { state: 'created', providerId: 'm-1' });
  const machine = { providerId: 'm-1', osVolumeId: 'disk-1', priceUsdPerHour: 2 };
  await instanceIs(db, { phase: 'ready', ...machine, billedSince: new Date(START - HOUR_MS) });
  await cap(db, '2');
  expect(await renew(db)).toMatchObject([{ instance: 'visual-1' }]);
  expect((await row(db, 'visual-1/1')).fromAt.getTime()).toBe(START - HOUR_MS);
});

it('one that could not be ended counts on, and holds up what others want to buy', async ({ db }) => {
  await cap(db, '2.5', 'day');
  await running(db, { phase: 'destroying' });
  nowMs += 40 * MINUTE_MS;
  expect(await renew(db)).toEqual([]);
  expect(await checkWith(db).affordable(pool, [{ priceUsdPerHour: 2 }], null)).toMatchObject({ refusal: null });
  nowMs += 40 * MINUTE_MS;
  expect((await checkWith(db).affordable(pool, [{ priceUsdPerHour: 2 }], null)).offers).toEqual([]);
});

it('the end of a machine frees what was not used; the disk is paid as long as it is kept', async ({ db }) => {
  await cap(db, '1.25');
  await running(db);
  await renew(db);
  nowMs += 10 * MINUTE_MS;
  await gone(db, 1);
  await instanceIs(db, { phase: 'suspended', providerId: null, keptVolumeLocation: 'FIN-01' });
  nowMs += 16 * MINUTE_MS;
  expect(await renew(db)).toEqual([]);
  const machine = await row(db, 'visual-1/1');
  expect(minutes(machine.reservedUntil)).toBe(10);
  const disk = await row(db, 'visual-1/1/disk');
  expect(disk.releasedAt).toBeNull();
  expect(minutes(disk.reservedUntil)).toBe(26 + 15 + 3);
  await instanceIs(db, { phase: 'waking' });
  await cap(db, '2');
  expect(await buy(db, 2, 2, 'disk-1')).toBeNull();
  expect(await db.budgetReservation.count({ where: { resource: 'volume' } })).toBe(1);
  expect(minutes((await row(db, 'visual-1/1/disk')).reservedUntil)).toBe(26 + 33 + 3);
});

it('the end of a life releases its disk too', async ({ db }) => {
  await running(db);
  await renew(db);
  await gone(db, 1);
  await instanceIs(db, { phase: 'gone', providerId: null, osVolumeId: null, endedAt: new Date(nowMs + MINUTE_MS) });
  nowMs += 2 * MINUTE_MS;
  await buy(db, 2);
  expect(await row(db, 'visual-1/1/disk')).toMatchObject({ releasedAt: new Date(START + MINUTE_MS) });
});

it('a sleeping disk that cannot be paid any more is given up', async ({ db }) => {
  await running(db);
  await renew(db);
  await gone(db, 1);
  await instanceIs(db, { phase: 'suspended', providerId: null, keptVolumeLocation: 'FIN-01' });
  await cap(db, '0.001');
  nowMs += 32 * MINUTE_MS;
  expect(await renew(db)).toEqual([]);
  nowMs += 2 * MINUTE_MS;
  expect(await renew(db)).toMatchObject([{ instance: 'visual-1', phase: 'suspended' }]);
});

it('what the ledger has settled takes the place of its reservation', async ({ db }) => {
  await cap(db, '3');
  await running(db);
  await renew(db);
  nowMs += 10 * MINUTE_MS;
  await gone(db, 1);
  await instanceIs(db, { phase: 'gone', providerId: null, osVolumeId: null, endedAt: new Date(nowMs) });
  const spent = async () => {
    const { refusal } = await checkWith(db).affordable(pool, [{ priceUsdPerHour: 99 }], null);
    return /\(\$([\d.]+) spent/u.exec(refusal?.message ?? '')?.[1];
  };
  expect(await spent()).toBe('0.3356');
  // The bill began later and was dearer than thought.
  await aRental(db, {
    resourceId: 'm-1',
    priceUsdPerHour: '2.4',
    billedFrom: new Date(START),
    billedUntil: new Date(START + 10 * MINUTE_MS),
    settledUntil: new Date(START + 5 * MINUTE_MS),
    settledUsd: '0.2',
  });
  expect(await spent()).toBe('0.4023');
  await db.rental.updateMany({
    data: { settledUntil: new Date(START + 10 * MINUTE_MS), settledUsd: '0.4', closedAt: new Date(nowMs) },
  });
  expect(await spent()).toBe('0.4023');
});

it('a stopped machine that is not billed meanwhile is paid anew when it starts', async ({ db }) => {
  const budget = checkWith(db, false);
  await buyWith(db, budget, intentOf(1));
  await created(db);
  nowMs += 10 * MINUTE_MS;
  await instanceIs(db, { phase: 'suspended', phaseSince: new Date(nowMs) });
  nowMs += 60 * MINUTE_MS;
  await budget.renew(pool);
  expect(minutes((await row(db, 'visual-1/1')).reservedUntil)).toBe(10);
  await instanceIs(db, { phase: 'waking', phaseSince: new Date(nowMs) });
  await cap(db, '0.5');
  expect((await budget.reserveStart('visual-1', pool))?.message).toContain('hard cap of $0.5000');
  await cap(db, '5');
  expect(await budget.reserveStart('visual-1', pool)).toBeNull();
  expect(await budget.reserveStart('visual-1', pool)).toBeNull();
  expect(await db.budgetReservation.count({ where: { resource: 'instance' } })).toBe(2);
});
