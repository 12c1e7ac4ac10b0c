/** What the database notes to be counted: each thing once, in the transaction that writes it, by what it was. */
import { describe, expect } from 'vitest';
import type { PrismaClient } from '../../../generated/prisma/client.ts';
import { itWithDatabase as it } from '../../../testing/database.ts';
import { anAnalysis, anInstance, aPool } from '../../../testing/make.ts';

const OFFER = 'datacrunch/FIN-01/1H100/spot';
const START_MS = Date.UTC(2026, 10, 22);

let made = 0;
it.beforeAll(async ({ db }) => {
  await aPool(db);
});
it.beforeEach(({ db }) => db.metricEvent.deleteMany());

const noted = async (db: PrismaClient, kind: string) =>
  (await db.metricEvent.findMany({ where: { kind }, orderBy: { id: 'asc' } })).map(({ labels, value }) => ({
    ...(labels as Record<string, unknown>),
    value: value.toNumber(),
  }));

/** An instance with a history: phases with the seconds after the start at which they began. */
async function life(
  db: PrismaClient,
  path: readonly (readonly [string, number])[],
  { attempts = 0, offerKey = OFFER as string | null } = {},
) {
  const name = `visual-${(made += 1)}`;
  const at = new Date(START_MS);
  await anInstance(db, { name, phaseSince: at, attempts, createdAt: at });
  return {
    name,
    store: () =>
      db.instanceTransition.createMany({
        data: path.map(([toPhase, seconds], position) => ({
          id: `${name}/${position}`,
          instanceName: name,
          position,
          at: new Date(START_MS + seconds * 1000),
          fromPhase: path[position - 1]?.[0] ?? null,
          toPhase,
          reason: 'test',
          offerKey,
        })),
      }),
  };
}

const WHERE = { provider: 'datacrunch', location: 'FIN-01', type: '1H100', market: 'spot' };

describe('the time until a machine serves', () => {
  it('the time until a machine serves runs from the order that was answered', async ({ db }) => {
    await (
      await life(db, [
        ['planned', 0],
        ['creating', 5],
        ['creating', 20],
        ['booting', 25],
        ['ready', 100],
      ])
    ).store();
    expect(await noted(db, 'provision')).toEqual([{ ...WHERE, outcome: 'ready', value: 80 }]);
  });

  it('the time until a machine serves is told of machines that were given up, and of those not wanted any more', async ({
    db,
  }) => {
    await (
      await life(db, [
        ['creating', 0],
        ['booting', 10],
        ['creating', 60],
        ['booting', 70],
        ['destroying', 90],
      ])
    ).store();
    expect(await noted(db, 'provision')).toEqual([
      { ...WHERE, outcome: 'failed', value: 60 },
      { ...WHERE, outcome: 'ended', value: 30 },
    ]);
  });

  it('the time until a machine serves has nothing to do with repairs, nor with servers that are nobody’s to order', async ({
    db,
  }) => {
    await (
      await life(db, [
        ['creating', 0],
        ['booting', 10],
        ['ready', 20],
        ['booting', 500],
        ['ready', 560],
      ])
    ).store();
    await (
      await life(
        db,
        [
          ['planned', 0],
          ['booting', 1],
          ['ready', 2],
        ],
        { offerKey: null },
      )
    ).store();
    expect(await noted(db, 'provision')).toEqual([{ ...WHERE, outcome: 'ready', value: 20 }]);
  });

  it('the time until a machine serves is never negative, when a clock was set back', async ({ db }) => {
    await (
      await life(db, [
        ['creating', 50],
        ['booting', 10],
        ['ready', 20],
      ])
    ).store();
    expect(await noted(db, 'provision')).toEqual([{ ...WHERE, outcome: 'ready', value: 0 }]);
  });
});

describe('the way of a wake', () => {
  const path = (end: string) =>
    [
      ['suspended', 0],
      ['waking', 100],
      [end, 160],
    ] as const;
  const order = (db: PrismaClient, name: string, attempt: number, fromVolumeId: string | null, seconds: number) =>
    db.createIntent.create({
      data: {
        id: `${name}/${attempt}`,
        instanceName: name,
        hostname: `${name}-${attempt}`,
        offerKey: OFFER,
        priceUsdPerHour: 1,
        fromVolumeId,
        createdAt: new Date(START_MS + seconds * 1000),
      },
    });

  it.for([
    ['booting', 'disk', 120, 'kept_disk'],
    ['booting', null, 120, 'fresh'],
    // The order is that of its first boot: the machine was only stopped.
    ['booting', null, 0, 'started'],
    ['suspended', 'disk', 120, 'given_up'],
  ] as const)(
    'the time until a machine serves, to %s with disk %s, ordered after %i s, is %s',
    async ([end, disk, orderedAt, step], { db }) => {
      const { name, store } = await life(db, path(end), { attempts: 2 });
      await order(db, name, 2, disk, orderedAt);
      await store();
      expect(await noted(db, 'wake')).toEqual([{ step, value: 1 }]);
    },
  );
});

describe('a create', () => {
  it('a create counts once, when it is answered or looked for, and not when it was never sent', async ({ db }) => {
    const { name } = await life(db, []);
    const intent = (id: string, state: 'creating' | 'refused') =>
      db.createIntent.create({
        data: { id, instanceName: name, hostname: id, offerKey: OFFER, priceUsdPerHour: 1, state },
      });
    await intent('held-back', 'refused');
    await intent('refused', 'creating');
    await db.createIntent.update({ where: { id: 'refused' }, data: { state: 'refused', errorClass: 'quota' } });
    await intent('lost', 'creating');
    await db.createIntent.update({ where: { id: 'lost' }, data: { state: 'unknown' } });
    await db.createIntent.update({ where: { id: 'lost' }, data: { state: 'created' } });
    await db.createIntent.update({ where: { id: 'lost' }, data: { state: 'gone' } });
    expect(await noted(db, 'create')).toEqual([
      { offer: OFFER, class: 'quota', value: 1 },
      { offer: OFFER, class: 'unknown', value: 1 },
    ]);
  });
});

describe('an XID', () => {
  it('an XID counts when it is new, also the same one after a reboot', async ({ db }) => {
    const { name: instanceName } = await life(db, []);
    for (const [minute, xids] of [[79], [79], [79, 94], [], [79]].entries()) {
      const at = new Date(START_MS + minute * 60_000);
      await db.healthSample.create({
        data: { id: `${instanceName}/${minute}`, instanceName, gpuIndex: 0, at, level: 'healthy', xids },
      });
    }
    expect(await noted(db, 'xid')).toEqual(['79', '94', '79'].map((xid) => ({ xid, value: 1 })));
  });
});

describe('model calls', () => {
  it('model calls count when they end, by statement, and not when they are cancelled or only get on', async ({
    db,
  }) => {
    const of = { tenantId: 'default', task: 'score_answer', gpuClass: 'gpu-text', priority: 3, expectedSeconds: 6 };
    await anAnalysis(db, { id: 'run' });
    const rows = ['a', 'b', 'c', 'd'].map((id) => ({ id, ...of, analysisId: 'run', contentKey: id }));
    await db.modelCall.createMany({
      data: [...rows, { id: 'e', ...of, analysisId: 'run', contentKey: 'e', state: 'stored', cached: true }],
    });
    await db.modelCall.updateMany({ where: { id: { in: ['a', 'b'] } }, data: { state: 'stored' } });
    await db.modelCall.updateMany({ data: { priority: 2 } });
    await db.modelCall.update({ where: { id: 'c' }, data: { state: 'failed' } });
    await db.modelCall.update({ where: { id: 'd' }, data: { state: 'cancelled' } });
    const task = { task: 'score_answer' };
    expect(await noted(db, 'task')).toEqual([
      { ...task, outcome: 'stored', cached: true, value: 1 },
      { ...task, outcome: 'stored', cached: false, value: 2 },
      { ...task, outcome: 'failed', cached: false, value: 1 },
    ]);
  });
});

describe('costs', () => {
  const rental = {
    provider: 'datacrunch',
    resource: 'instance',
    priceUsdPerHour: 1,
    quantumSec: 1,
    refundsUnused: true,
  };
  const entry = (position: number, amountUsd: string, task?: string) => ({
    id: `rental/${position}`,
    rentalId: 'rental',
    position,
    kind: 'busy',
    fromAt: new Date(START_MS),
    untilAt: new Date(START_MS),
    shareSeconds: 1,
    amountUsd,
    provider: 'datacrunch',
    ...(task === undefined ? {} : { task }),
  });

  it('costs are summed exactly, and go with the transaction that writes them', async ({ db }) => {
    await db.rental.create({ data: { id: 'rental', resourceId: 'r', ...rental } });
    const failing = db.$transaction(async (tx) => {
      await tx.ledgerEntry.createMany({ data: [entry(0, '1')] });
      throw new Error('the settlement fails');
    });
    await expect(failing).rejects.toThrow('fails');
    expect(await noted(db, 'cost')).toEqual([]);
    const many = Array.from({ length: 10 }, (_, i) => entry(i, '0.100000001', 'score_answer'));
    await db.ledgerEntry.createMany({ data: [...many, entry(10, '0.25')] });
    // Settled twice: nothing is written, nothing is counted.
    await db.ledgerEntry.createMany({ data: many, skipDuplicates: true });
    const [busy, other, ...more] = (await noted(db, 'cost')).toSorted((a, b) => b.value - a.value);
    expect([busy, other, more]).toEqual([
      { kind: 'busy', task: 'score_answer', value: 1.00000001 },
      { kind: 'busy', value: 0.25 },
      [],
    ]);
  });
});
