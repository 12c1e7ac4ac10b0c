/**
 * What the life of an instance leaves in the database: an append-only history, a row that shows where it stands, intents that are sent once.
 */
import { beforeEach, expect } from 'vitest';
import { mayStillBeSent, recordIntent, settleIntent } from '../../../activities/fleet/instance/create-intent.ts';
import type { InstanceRow } from '../../../activities/fleet/instance/contract.ts';
import { storeTransitions } from '../../../activities/fleet/instance/store-transitions.ts';
import type { Intent, Transition } from '../../../domain/fleet/instance-life/types.ts';
import type { InstancePhase } from '../../../domain/fleet/phases.ts';
import { poolConfigSchema } from '../../../domain/fleet/pool/pool-config.ts';
import type { PrismaClient } from '../../../generated/prisma/client.ts';
import { itWithDatabase as it } from '../../../testing/database.ts';
import { instanceRow } from '../instance-row.ts';
import { OFFER as offer } from '../../../testing/make.ts';

const pool = poolConfigSchema.parse({ name: 'visual', classes: ['gpu-visual'] });
const START_MS = Date.UTC(2026, 10, 21, 12);

let made = 0;
let name = '';

beforeEach(() => {
  name = `visual-${(made += 1)}`;
});

/** A step so many milliseconds after the start. */
const step = (from: InstancePhase | null, to: InstancePhase, afterMs: number): Transition => ({
  atMs: START_MS + afterMs,
  from,
  to,
  reason: `${to} now`,
  priceUsdPerHour: 1.99,
  offer,
  providerId: null,
  volumeIds: ['disk-1'],
  loadMs: to === 'ready' ? 4200 : null,
});

/** Nothing forbids a create. */
const freely = (): Promise<null> => Promise.resolve(null);

/** Stores the row, and these steps from a position on, so many milliseconds after the start. */
const store = (
  db: PrismaClient,
  [afterMs, position]: readonly [afterMs: number, position: number],
  changes: Partial<InstanceRow> = {},
  ...transitions: readonly Transition[]
): Promise<void> =>
  storeTransitions(db, {
    row: instanceRow({ name, phaseSinceMs: START_MS, ...changes }),
    pool,
    atMs: START_MS + afterMs,
    position,
    transitions,
  });
const stored = (db: PrismaClient) =>
  db.fleetInstance.findUniqueOrThrow({ where: { name }, include: { transitions: { orderBy: { position: 'asc' } } } });

/** An instance whose machine `m-1` boots. */
async function bootInstance(db: PrismaClient): Promise<void> {
  await store(db, [0, 0], {}, step(null, 'planned', 0));
  const row = { phase: 'booting', providerId: 'm-1', offerKey: offer, priceUsdPerHour: 1.99 } as const;
  await store(db, [1000, 1], row, step('planned', 'creating', 500), step('creating', 'booting', 1000));
}

it('the store of an instance makes the pool row it hangs on where the pool has not come so far', async ({ db }) => {
  await bootInstance(db);
  expect(await db.fleetPool.findUnique({ where: { name: 'visual' } })).toMatchObject({
    provider: 'datacrunch',
    max: 1,
  });
});

it('the store of an instance stores a transition once, however often it is told', async ({ db }) => {
  await bootInstance(db);
  await bootInstance(db);
  const { transitions, phase } = await stored(db);
  expect(transitions.map((t) => [t.position, t.toPhase])).toEqual([
    [0, 'planned'],
    [1, 'creating'],
    [2, 'booting'],
  ]);
  expect(phase).toBe('booting');
});

it('the store of an instance keeps the disks there were and how long models took to load with each row', async ({
  db,
}) => {
  await bootInstance(db);
  await store(db, [2000, 3], { phase: 'ready', providerId: 'm-1' }, step('booting', 'ready', 2000));
  const { transitions } = await stored(db);
  expect(transitions.map((t) => [t.toPhase, t.volumeIds, t.loadMs])).toEqual([
    ['planned', ['disk-1'], null],
    ['creating', ['disk-1'], null],
    ['booting', ['disk-1'], null],
    ['ready', ['disk-1'], 4200],
  ]);
});

it('the store of an instance lets an attempt that comes late change nothing', async ({ db }) => {
  await bootInstance(db);
  await store(db, [0, 0], { phase: 'planned' });
  await store(db, [0, 0], {}, step(null, 'planned', 0));
  expect(await stored(db)).toMatchObject({ phase: 'booting', providerId: 'm-1' });
});

it('the store of an instance brings the row up to date between transitions', async ({ db }) => {
  await bootInstance(db);
  await store(db, [4000, 3], { phase: 'booting', providerId: 'm-1', ip: '10.0.0.7' });
  expect(await stored(db)).toMatchObject({ ip: '10.0.0.7', billedSince: new Date(START_MS + 1000) });
});

it('the store of an instance counts paid time from each machine of its own, and none while there is no machine', async ({
  db,
}) => {
  await bootInstance(db);
  const asleep = { phase: 'suspended', osVolumeId: 'v-1', keptVolumeLocation: 'FIN-01' } as const;
  await store(db, [9000, 3], asleep, step('booting', 'suspended', 9000));
  expect(await stored(db)).toMatchObject({ billedSince: null, keptVolumeLocation: 'FIN-01', endedAt: null });
  await store(
    db,
    [20_000, 4],
    { phase: 'waking', providerId: 'm-2', freshDisk: false },
    step('suspended', 'waking', 20_000),
  );
  expect(await stored(db)).toMatchObject({ billedSince: new Date(START_MS + 20_000), keptVolumeLocation: null });
});

it('the store of an instance keeps a pinned host key with its disk and forgets it with a new one', async ({ db }) => {
  await bootInstance(db);
  await db.fleetInstance.update({ where: { name }, data: { hostKeySha256: 'pinned' } });
  await store(db, [2000, 3], { phase: 'waking', providerId: 'm-2', freshDisk: false });
  expect((await stored(db)).hostKeySha256).toBe('pinned');
  await store(db, [3000, 3], { phase: 'booting', providerId: 'm-3' });
  expect((await stored(db)).hostKeySha256).toBeNull();
});

it('the row of an instance says when it became ready and when it ended', async ({ db }) => {
  await bootInstance(db);
  await store(
    db,
    [7000, 3],
    { phase: 'gone', phaseSinceMs: START_MS + 7000 },
    step('booting', 'ready', 5000),
    step('ready', 'gone', 7000),
  );
  expect(await stored(db)).toMatchObject({ readyAt: new Date(START_MS + 5000), endedAt: new Date(START_MS + 7000) });
});

const intentNumber = (number: number): Intent => ({
  id: `${name}/${number}`,
  hostname: `dh-test-${name}-${number}`,
  offer,
  priceUsdPerHour: 1.99,
  volumeId: null,
});

it('the store of an instance answers a create that was sent before by what came of it, never by a second one', async ({
  db,
}) => {
  await bootInstance(db);
  const [first, second, third] = [intentNumber(1), intentNumber(2), intentNumber(3)];
  expect(await recordIntent(db, name, first, freely)).toBeNull();
  expect(await recordIntent(db, name, first, freely)).toMatchObject({ kind: 'unknown' });
  await settleIntent(db, first, { kind: 'created', providerId: 'm-1', adopted: false, priceUsdPerHour: null });
  expect(await recordIntent(db, name, first, freely)).toMatchObject({
    kind: 'created',
    providerId: 'm-1',
    adopted: true,
  });

  await recordIntent(db, name, second, freely);
  const error = { errorClass: 'capacity', message: 'none left' } as const;
  await settleIntent(db, second, { kind: 'refused', error });
  expect(await recordIntent(db, name, second, freely)).toEqual({ kind: 'refused', error });

  await recordIntent(db, name, third, freely);
  await settleIntent(db, third, { kind: 'unknown', message: 'the connection broke' });
  expect(await recordIntent(db, name, third, freely)).toMatchObject({ kind: 'unknown' });
  expect(await mayStillBeSent(db, third)).toBe(false);
});

it('a create that is held back is recorded, never sent, and no failure of its offer', async ({ db }) => {
  await bootInstance(db);
  const intent = intentNumber(1);
  const held = { kind: 'held_back', message: 'blocked meanwhile' } as const;
  expect(await recordIntent(db, name, intent, () => Promise.resolve(held.message))).toEqual(held);
  expect(await recordIntent(db, name, intent, freely)).toEqual(held);
  expect(await mayStillBeSent(db, intent)).toBe(false);
  expect(await db.createIntent.findUniqueOrThrow({ where: { id: intent.id } })).toMatchObject({
    state: 'refused',
    errorClass: null,
  });
});

it('the store of an instance closes intents whose machine is known to be gone, and no others', async ({ db }) => {
  await bootInstance(db);
  const [lost, kept, refused] = [intentNumber(1), intentNumber(2), intentNumber(3)];
  for (const intent of [lost, kept, refused]) await recordIntent(db, name, intent, freely);
  await settleIntent(db, lost, { kind: 'unknown', message: 'no answer' });
  await settleIntent(db, kept, { kind: 'created', providerId: 'm-2', adopted: false, priceUsdPerHour: null });
  await settleIntent(db, refused, { kind: 'refused', error: { errorClass: 'quota', message: 'full' } });
  await store(db, [3000, 3], { hostnames: [kept.hostname] });
  const intents = await db.createIntent.findMany({ where: { instanceName: name }, orderBy: { id: 'asc' } });
  expect(intents.map((i) => i.state)).toEqual(['gone', 'created', 'refused']);
});
