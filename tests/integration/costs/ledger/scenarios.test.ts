/**
 * What goes wrong with the costs of rented GPUs elsewhere (numbers as in tests/SCENARIOS.md), on the ledger in a real database over the
 * simulated provider.
 */
import { expect } from 'vitest';
import { openCosts, type OpenCost } from '../../../../activities/costs/ledger/open-costs.ts';
import { loadFleetView } from '../../../../api/fleet/fleet-view.ts';
import type { PrismaClient } from '../../../../generated/prisma/client.ts';
import { purgeVolume, restoreVolume, trashVolume } from '../../../../simulators/clouds/core/volumes.ts';
import { itWithDatabase as it } from '../../../../testing/database.ts';
import { virtualAws, virtualAzure } from '../../../../testing/fleet/virtual-cloud.ts';
import { VirtualInstance, type VirtualInstanceOptions } from '../../../../testing/fleet/virtual-instance.ts';
import { fixedLadder, simulatedOffer } from '../../../../testing/fleet/virtual-ladder.ts';
import { aCreateIntent, aHistory, anInstance } from '../../../../testing/make.ts';
import { emptyLedger, roundsOf, storeHistory } from './ledger-database.ts';

const HOUR = 3_600_000;
const MINUTE = 60_000;

it.beforeEach(({ db }) => emptyLedger(db));

const LADDER = fixedLadder([simulatedOffer('1H100.80S.30V')]);
/** A machine that has become ready. */
async function readyLife(options: Partial<VirtualInstanceOptions> = {}): Promise<VirtualInstance> {
  const life = new VirtualInstance({ rank: LADDER, ...options });
  await life.until('ready');
  return life;
}
/** The same at a provider that keeps no record. */
async function unrecorded(options: Partial<VirtualInstanceOptions> = {}): Promise<VirtualInstance> {
  const life = new VirtualInstance({ rank: LADDER, ...options });
  life.sim.setFaults([{ match: { path: '/journal*' }, effect: 'error', status: 404, code: 'not_found' }]);
  await life.until('ready');
  return life;
}
/** Lets time pass, stores what happened, settles. */
async function pass(db: PrismaClient, life: VirtualInstance, ms: number): Promise<void> {
  await life.runFor(ms);
  await storeHistory(db, life);
  await roundsOf(db, life)();
}
async function end(db: PrismaClient, life: VirtualInstance): Promise<void> {
  await life.end();
  await pass(db, life, HOUR);
}
const settledUsd = async (db: PrismaClient): Promise<number> => {
  const sum = await db.ledgerEntry.aggregate({ _sum: { amountUsd: true } });
  return Number(sum._sum.amountUsd);
};
/** What was settled is what the provider really charged. */
const expectCharged = async (db: PrismaClient, life: VirtualInstance): Promise<void> =>
  expect(Math.abs((await settledUsd(db)) - life.sim.core.ledger().chargedUsd)).toBeLessThan(1e-6);
const sumOfCosts = (costs: readonly OpenCost[]): number =>
  costs.reduce((sum, { amountUsd }) => sum + amountUsd.toNumber(), 0);
const openUsd = async (db: PrismaClient, life: VirtualInstance): Promise<number> =>
  sumOfCosts(await openCosts(db, new Date(life.ownMs)));

it('scenario 41: a machine costs what its price was when it was first seen, not later ones', async ({ db }) => {
  const life = await readyLife();
  await pass(db, life, 2 * HOUR);
  const [before] = await db.rental.findMany({ where: { resource: 'instance' } });
  const settled = await db.ledgerEntry.findMany({ orderBy: { id: 'asc' } });
  life.sim.core.setPrices([{ types: '*', factor: 100 }]);
  await pass(db, life, 2 * HOUR);
  // A type that is not sold any more changes nothing either.
  life.sim.core.setPrices([{ types: '*', ondemandUsd: 0, spotUsd: null }]);
  await pass(db, life, HOUR);
  await end(db, life);
  const [after] = await db.rental.findMany({ where: { resource: 'instance' } });
  expect(after?.priceUsdPerHour).toEqual(before?.priceUsdPerHour);
  expect(after?.onDemandUsdPerHour).toEqual(before?.onDemandUsdPerHour);
  const ids = settled.map((entry) => entry.id);
  expect(await db.ledgerEntry.findMany({ where: { id: { in: ids } }, orderBy: { id: 'asc' } })).toEqual(settled);
  await expectCharged(db, life);
});

it('scenario 42: a machine that is stopped and a disk that is kept are rows with their price', async ({ db }) => {
  const asleep = await readyLife();
  await asleep.ask('suspend', 'suspended');
  await pass(db, asleep, 10 * HOUR);
  const kept = await db.ledgerEntry.findMany({ where: { kind: 'suspended' } });
  expect(kept.length).toBeGreaterThan(30);
  expect(kept.every((entry) => entry.rentalId.startsWith('datacrunch/volume/') && entry.amountUsd.gt(0))).toBe(true);
  await end(db, asleep);
  await expectCharged(db, asleep);

  await emptyLedger(db);
  const stopped = await readyLife({ settings: { suspendStrategies: ['shutdown', 'delete'] } });
  await stopped.ask('suspend', 'suspended');
  await pass(db, stopped, 10 * HOUR);
  const rows = await db.ledgerEntry.findMany({ where: { kind: 'suspended' } });
  // The stopped machine costs what it cost when it ran, and its disk hangs on it.
  expect(rows.every((entry) => entry.rentalId.startsWith('datacrunch/instance/'))).toBe(true);
  expect(rows.reduce((sum, entry) => sum + Number(entry.amountUsd), 0)).toBeGreaterThan(9 * 2);
  await end(db, stopped);
  await expectCharged(db, stopped);
});

it('what is not settled yet is counted by the same rules, also of machines that no round has seen', async ({ db }) => {
  const life = await readyLife();
  await life.runFor(7 * MINUTE);
  await storeHistory(db, life);
  // No rental yet: the machine as its history has it, from its first row on.
  const [machine] = life.sim.core.ledger().meters;
  const perMinute = (machine?.usdPerHour ?? 0) / 60;
  expect(await openUsd(db, life)).toBeGreaterThan(7 * perMinute);
  for (const minutes of [1, 90, 5, 61, 14]) {
    await pass(db, life, minutes * MINUTE);
    const { meters } = life.sim.core.ledger();
    const usedUsd = meters.reduce((sum, m) => sum + ((life.nowMs - m.fromMs) / HOUR) * m.usdPerHour, 0);
    expect(Math.abs((await settledUsd(db)) + (await openUsd(db, life)) - usedUsd)).toBeLessThan(1e-6);
    const view = await loadFleetView(db, new Date(life.ownMs));
    expect(Math.abs(view.costUsd - usedUsd)).toBeLessThan(1e-6);
  }
  await end(db, life);
  expect(await openCosts(db, new Date(life.ownMs))).toEqual([]);
  const view = await loadFleetView(db, new Date(life.ownMs));
  expect(view.costUsd).toBeCloseTo(await settledUsd(db), 6);
});

it('a provider that keeps no record is billed as it was seen', async ({ db }) => {
  const life = await unrecorded();
  await pass(db, life, 2 * HOUR);
  await end(db, life);
  // The end of the disk was noticed by a round; what is behind it is settled by the next.
  await pass(db, life, 5 * MINUTE);
  const rentals = await db.rental.findMany();
  expect(rentals.map((rental) => [rental.boundsFrom, rental.closedAt !== null])).toEqual([
    ['observed', true],
    ['observed', true],
  ]);
  // To the minute or so: the machine's end is told by its history, the disk's by the next round.
  const { chargedUsd, meters } = life.sim.core.ledger();
  const disk = meters.find((meter) => meter.resource === 'volume');
  expect(Math.abs((await settledUsd(db)) - chargedUsd)).toBeLessThan(((disk?.usdPerHour ?? 0) * 1.5 + 3.3 / 60) * 2);
});

it('a record that becomes known late corrects what was settled by what was seen', async ({ db }) => {
  const life = await unrecorded();
  await pass(db, life, 2 * HOUR);
  const [rental] = await db.rental.findMany({ where: { resource: 'instance' } });
  expect(rental).toMatchObject({ boundsFrom: 'observed' });
  expect(Number(rental?.settledUsd)).toBeGreaterThan(0);
  life.sim.setFaults([]);
  await end(db, life);
  await expectCharged(db, life);
});

/** Cost of the machine so far, USD. */
async function machineUsd(db: PrismaClient, life: VirtualInstance): Promise<number> {
  const open = (await openCosts(db, new Date(life.ownMs))).filter((cost) => cost.resource === 'instance');
  const { settledUsd: settled } = await db.rental.findFirstOrThrow({ where: { resource: 'instance' } });
  return sumOfCosts(open) + Number(settled);
}

it('a stopped machine that costs nothing is not billed until it is started again', async ({ db }) => {
  const scenario = { billing: { billsStopped: false, refundsUnused: false } };
  const life = await readyLife({ scenario, settings: { suspendStrategies: ['shutdown', 'delete'] } });
  await life.ask('suspend', 'suspended');
  await pass(db, life, 20 * MINUTE);
  const where = { resource: 'instance' };
  const before = await db.rental.findFirstOrThrow({ where });
  expect(before.pauses).toEqual([{ fromMs: expect.any(Number), untilMs: null }]);
  const stoppedUsd = await machineUsd(db, life);
  await pass(db, life, 10 * HOUR);
  expect(await machineUsd(db, life)).toBeCloseTo(stoppedUsd, 6);
  await life.ask('wake', 'ready');
  await pass(db, life, HOUR);
  await end(db, life);
  const { chargedUsd, meters } = life.sim.core.ledger();
  expect(meters.filter((meter) => meter.resource === 'instance')).toHaveLength(2);
  expect(Math.abs((await settledUsd(db)) - chargedUsd)).toBeLessThan(1e-6);
  expect(await db.rental.count({ where: { closedAt: null } })).toBe(0);
});

it('a stopped machine that keeps its address costs that, until it is started again', async ({ db }) => {
  const instanceType = 'Standard_NC4as_T4_v3';
  const offer = { provider: 'azure', location: 'northeurope', instanceType, market: 'ondemand' } as const;
  const settings = { suspendStrategies: ['shutdown'] } as const;
  const life = await readyLife({ cloud: virtualAzure, rank: fixedLadder([offer]), settings });
  await life.ask('suspend', 'suspended');
  await pass(db, life, 20 * MINUTE);
  const { pauses } = await db.rental.findFirstOrThrow({ where: { resource: 'instance' } });
  expect(pauses).toEqual([{ fromMs: expect.any(Number), untilMs: null, usdPerHour: 0.005 }]);
  const stoppedUsd = await machineUsd(db, life);
  await pass(db, life, 10 * HOUR);
  expect(await machineUsd(db, life)).toBeCloseTo(stoppedUsd + 10 * 0.005, 4);
  await life.ask('wake', 'ready');
  await pass(db, life, HOUR);
  const again = await db.rental.findFirstOrThrow({ where: { resource: 'instance' } });
  expect(again.pauses).toEqual([{ fromMs: expect.any(Number), untilMs: expect.any(Number), usdPerHour: 0.005 }]);
});

it('a stopped machine that is started as another type costs what that type costs from then on', async ({ db }) => {
  const offers = ['g4dn.xlarge', 'g5.xlarge'].map(
    (instanceType) => ({ provider: 'aws', location: 'eu-west-1b', instanceType, market: 'ondemand' }) as const,
  );
  const life = await readyLife({ cloud: virtualAws, rank: fixedLadder(offers) });
  await pass(db, life, 2 * HOUR);
  await life.ask('suspend', 'suspended');
  await pass(db, life, 5 * HOUR);
  life.sim.core.setStock([{ types: 'g4dn.xlarge', count: 0 }]);
  await life.ask('wake', 'ready');
  await pass(db, life, HOUR);
  const after = { instanceType: 'g5.xlarge', priceUsdPerHour: life.state.machine?.priceUsdPerHour };
  await pass(db, life, 2 * HOUR);
  await end(db, life);
  const rental = await db.rental.findFirstOrThrow({ where: { resource: 'instance' } });
  expect(rental.instanceType).toBe('g4dn.xlarge');
  expect(rental.pauses).toMatchObject([
    { usdPerHourAfter: after.priceUsdPerHour, instanceTypeAfter: after.instanceType },
  ]);
  // Each time is booked under the type that the machine had.
  const booked = await db.ledgerEntry.groupBy({
    by: ['instanceType'],
    where: { rentalId: rental.id },
    _sum: { shareSeconds: true },
    orderBy: { instanceType: 'asc' },
  });
  expect(booked.map(({ instanceType }) => instanceType)).toEqual(['g4dn.xlarge', 'g5.xlarge']);
  for (const { _sum } of booked) expect(_sum.shareSeconds?.toNumber()).toBeGreaterThan(3600);
  expect(after.priceUsdPerHour).toBeGreaterThan(rental.priceUsdPerHour.toNumber() * 1.5);
  // AWS keeps no record of bills: the bounds are those that were seen, to the minute or so at each end.
  const difference = (await settledUsd(db)) - life.sim.core.ledger().chargedUsd;
  expect(Math.abs(difference)).toBeLessThan(((after.priceUsdPerHour ?? 0) * 6) / 60);
});

it('what is gone without a word in the provider’s record is not billed for ever', async ({ db }) => {
  const life = await readyLife();
  await pass(db, life, 2 * HOUR);
  await life.end();
  const { journal } = life.sim.core.state;
  const kept = journal.filter((event) => !event.action.startsWith('delet') && !event.action.startsWith('trash'));
  journal.splice(0, journal.length, ...kept);
  await pass(db, life, 5 * MINUTE);
  // Noticed by one round, believed by the next.
  await pass(db, life, 5 * MINUTE);
  const rentals = await db.rental.findMany();
  expect(rentals.map((rental) => [rental.boundsFrom, rental.closedAt !== null])).toEqual([
    ['observed', true],
    ['observed', true],
  ]);
  const { chargedUsd } = life.sim.core.ledger();
  expect(Math.abs((await settledUsd(db)) - chargedUsd)).toBeLessThan((3.3 / 60) * 2);
});

it('a disk that is taken out of the trash goes on costing, its time there included', async ({ db }) => {
  const life = await readyLife();
  await pass(db, life, HOUR);
  await life.ask('suspend', 'suspended');
  const { context } = life.sim.core;
  const [volume] = Object.values(context.state.volumes);
  if (volume === undefined) throw new Error('no disk');
  trashVolume(context, volume, life.nowMs);
  await pass(db, life, HOUR);
  expect(await db.rental.count({ where: { closedAt: null } })).toBe(0);
  restoreVolume(context, volume, life.nowMs);
  await pass(db, life, 2 * HOUR);
  expect(await db.rental.count({ where: { closedAt: null } })).toBe(1);
  purgeVolume(context, volume, life.nowMs);
  await pass(db, life, HOUR);
  expect(await db.rental.count({ where: { closedAt: null } })).toBe(0);
  await expectCharged(db, life);
});

it.for([
  ['the account is billed in another currency', { billing: { currency: 'eur' } }, 1.23],
  ['the provider names no price', {}, 0],
] as const)('a rental is in USD, at what it was bought for, where %s', async ([, scenario, price], { db }) => {
  const life = new VirtualInstance({ scenario, rank: LADDER });
  const meters = (): readonly { readonly usdPerHour: number; readonly resource: string }[] =>
    life.sim.core.ledger().meters;
  await life.until('ready');
  const { state } = life.sim.core.context;
  for (const machine of Object.values(state.instances)) Object.assign(machine, { usdPerHour: price });
  if (price > 0) for (const volume of Object.values(state.volumes)) volume.usdPerMonth = 99;
  // What the list says now is not what it said then.
  life.sim.core.setPrices([{ types: '*', factor: 3 }]);
  await storeHistory(db, life);
  const { providerId } = await db.instanceTransition.findFirstOrThrow({ where: { providerId: { not: null } } });
  const [machine] = meters();
  const bought = { instanceName: life.state.name, priceUsdPerHour: machine?.usdPerHour ?? 0, providerId };
  await aCreateIntent(db, { ...bought, createdAt: new Date(life.ownMs) });
  await pass(db, life, HOUR);
  const rentals = await db.rental.findMany({ orderBy: { resource: 'asc' } });
  expect(rentals.map(({ currency }) => currency)).toEqual(['USD', 'USD']);
  const frozen = rentals.map((rental) => Number(rental.priceUsdPerHour));
  const paid = ['instance', 'volume'].map((kind) => meters().find((meter) => meter.resource === kind)?.usdPerHour ?? 0);
  for (const [index, usdPerHour] of paid.entries()) expect(frozen[index]).toBeCloseTo(usdPerHour, 8);
  const sample = await db.balanceSample.findFirstOrThrow();
  expect(sample.currency).toBe(price > 0 ? 'EUR' : 'USD');
});

it('a machine between two rounds costs its purchase price, also where the account has another currency', async ({
  db,
}) => {
  const life = await unrecorded({ scenario: { billing: { currency: 'eur' } } });
  await life.end();
  await life.runFor(HOUR);
  await storeHistory(db, life);
  const seen = await db.instanceTransition.findFirstOrThrow({
    where: { providerId: { not: null }, priceUsdPerHour: { not: null } },
  });
  expect(Number(seen.priceUsdPerHour)).not.toBe(2.5);
  const intent = { instanceName: life.state.name, priceUsdPerHour: '2.5', providerId: seen.providerId };
  await aCreateIntent(db, { ...intent, createdAt: new Date(life.ownMs - HOUR) });
  await roundsOf(db, life)();
  const rental = await db.rental.findFirstOrThrow({ where: { resource: 'instance' } });
  expect(Number(rental.priceUsdPerHour)).toBe(2.5);
});

it('an account that does not tell its balance is settled all the same', async ({ db }) => {
  const life = await readyLife();
  await pass(db, life, HOUR);
  life.sim.setFaults([{ match: { path: '/balance' }, effect: 'error', status: 500 }]);
  const before = await settledUsd(db);
  await expect(pass(db, life, 2 * HOUR)).rejects.toMatchObject({ code: 'provider_transient' });
  expect(await settledUsd(db)).toBeGreaterThan(before);
});

it('servers that run already are accounted for at no price', async ({ db }) => {
  const life = new VirtualInstance({ rank: LADDER });
  const at = (minutes: number): Date => new Date(life.ownMs + minutes * MINUTE);
  const host = { name: 'static-0', pool: 'static', provider: 'static' };
  await anInstance(db, { ...host, phaseSince: at(0), createdAt: at(0) });
  await aHistory(db, 'static-0', [
    { at: at(0), toPhase: 'booting' },
    { at: at(1), toPhase: 'ready' },
  ]);
  await life.runFor(3 * HOUR);
  await roundsOf(db, life)();
  const entries = await db.ledgerEntry.findMany({ where: { provider: 'static' } });
  expect(new Set(entries.map((entry) => entry.kind))).toEqual(new Set(['boot', 'idle']));
  expect(entries.every((entry) => entry.amountUsd.isZero())).toBe(true);
  expect(entries.reduce((sum, entry) => sum + Number(entry.shareSeconds), 0)).toBeGreaterThan(2.5 * 3600);
});
