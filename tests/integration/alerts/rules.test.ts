/** Every seeded rule on real rows: it raises one alert when its condition comes, and clears it when it goes. */
import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { EVICTED } from '../../../domain/fleet/instance-life/running.ts';
import type { Prisma, PrismaClient } from '../../../generated/prisma/client.ts';
import { ALERT_RULES } from '../../../prisma/seed/alert-rules.ts';
import { itWithFreshDatabase as it } from '../../../testing/database.ts';
import { aDeck, anAnalysis, anInstance, aPool, aServing, modelCalls, NOW } from '../../../testing/make.ts';
import { alertsOf, round } from './rounds.ts';
import { folderPerFile } from '../../../testing/per-file.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const before = (ms: number, at: Date = NOW): Date => new Date(at.getTime() - ms);

/** A pool that looks, with its instances awake unless a test says otherwise. */
it.beforeEach(async ({ db }) => {
  await aPool(db, { reasons: ['work waits'], nextLookAt: NOW });
});

/** A machine that a gateway serves at that time. */
async function served(
  db: PrismaClient,
  name: string,
  at: Date,
  values: Partial<Prisma.FleetInstanceUncheckedCreateInput> = {},
): Promise<void> {
  await anInstance(db, { name, readyAt: before(HOUR_MS, at), ...values });
  await aServing(db, { instanceName: name, seenAt: at });
}
const healthOf = (
  db: PrismaClient,
  instanceName: string,
  at: Date,
  values: Partial<Prisma.InstanceHealthUncheckedCreateInput> = {},
): Promise<unknown> => {
  const columns = { pool: 'visual', level: 'healthy', since: at, reason: 'it answers', lastSampleAt: at, ...values };
  return db.instanceHealth.upsert({ where: { instanceName }, create: { instanceName, ...columns }, update: columns });
};
const endedCalls = async (db: PrismaClient, failed: number, stored: number, at: Date): Promise<void> => {
  const analysis = await anAnalysis(db);
  await modelCalls(db, analysis, failed, { state: 'failed', finishedAt: at });
  await modelCalls(db, analysis, stored, { state: 'stored', finishedAt: at });
};
const endedAnalyses = async (
  db: PrismaClient,
  count: number,
  at: Date,
  values: Partial<Prisma.AnalysisUncheckedCreateInput>,
) => {
  const { id: deckId } = await aDeck(db);
  for (let i = 0; i < count; i += 1) await anAnalysis(db, { deckId, finishedAt: at, ...values });
};
const rentalOf = (
  db: PrismaClient,
  id: string,
  values: Partial<Prisma.RentalUncheckedCreateInput> = {},
): Promise<unknown> =>
  db.rental.create({
    data: {
      id,
      provider: 'datacrunch',
      resource: 'instance',
      resourceId: id,
      priceUsdPerHour: 2,
      quantumSec: 600,
      refundsUnused: true,
      billedFrom: before(DAY_MS),
      ...values,
    },
  });
/** Cost of a day so many days before now. */
const spent = async (db: PrismaClient, daysAgo: number, amountUsd: number): Promise<void> => {
  const rentalId = `spent-${randomUUID()}`;
  await rentalOf(db, rentalId, { settledUntil: NOW, settledUsd: amountUsd, closedAt: NOW, billedUntil: NOW });
  const fromAt = before(daysAgo * DAY_MS);
  await db.ledgerEntry.create({
    data: {
      id: `${rentalId}/0`,
      rentalId,
      position: 0,
      kind: 'busy',
      fromAt,
      untilAt: fromAt,
      shareSeconds: 1,
      amountUsd,
      provider: 'datacrunch',
    },
  });
};
const budgetUsed = async (db: PrismaClient, usedUsd: number): Promise<void> => {
  await db.budget.create({
    data: { id: 'b', scope: 'installation', period: 'month', hardUsd: 100 },
  });
  await spent(db, 0, usedUsd);
};
const intentOf = (db: PrismaClient, instanceName: string, priceUsdPerHour: number): Promise<unknown> =>
  db.createIntent.create({
    data: {
      id: `${instanceName}/1`,
      instanceName,
      hostname: `dh-test1-${instanceName}-1`,
      offerKey: 'datacrunch/FIN-01/1H100.80S.30V/ondemand',
      priceUsdPerHour,
      state: 'created',
      providerId: instanceName,
      createdAt: before(2 * DAY_MS),
    },
  });
const webhook = { id: 'hook', tenantId: 'default', url: 'https://hooks.example/in', secret: 'whsec_eA==', events: [] };

interface Course {
  readonly subject: string;
  /** What the alert says, in part. */
  readonly says: string;
  /** Makes the condition. */
  readonly bad: (db: PrismaClient) => Promise<unknown>;
  /** Ends it, so that it is over at that time. Called before each round that follows. */
  readonly good: (db: PrismaClient, at: Date) => Promise<unknown>;
}

const COURSES: Readonly<Record<string, Course>> = {
  'call-failures': {
    subject: '*',
    says: '5 of 25 model calls were given up within 1 h (20 %)',
    bad: (db) => endedCalls(db, 5, 20, before(MINUTE_MS)),
    good: (db, at) => endedCalls(db, 0, 300, at),
  },
  'analysis-failures': {
    subject: '*',
    says: '1 of 6 analyses failed within 6 h',
    bad: async (db) => {
      await endedAnalyses(db, 5, before(MINUTE_MS), { status: 'completed' });
      await endedAnalyses(db, 1, before(MINUTE_MS), { status: 'failed', failureCode: 'internal' });
      // The sender of these has to act, not an operator.
      await endedAnalyses(db, 20, before(MINUTE_MS), { status: 'failed', failureCode: 'pdf_damaged' });
    },
    good: (db, at) => endedAnalyses(db, 60, at, { status: 'completed_with_gaps' }),
  },
  'backlog-age': {
    subject: 'gpu-visual',
    says: 'The oldest of 3 open calls for gpu-visual has waited for 11 min',
    bad: async (db) => {
      await served(db, 'visual-1', NOW);
      await modelCalls(db, await anAnalysis(db), 3, { createdAt: before(10 * MINUTE_MS) });
    },
    good: (db) => db.modelCall.updateMany({ data: { state: 'stored' } }),
  },
  'analysis-still': {
    subject: '*',
    says: 'has moved for 5 min; it is at stage slides',
    bad: async (db) => {
      const createdAt = before(4 * MINUTE_MS);
      await modelCalls(db, await anAnalysis(db, { deck: { pageCount: 3 }, createdAt }), 3, { createdAt });
    },
    good: (db, at) => db.modelCall.updateMany({ data: { state: 'stored', finishedAt: at } }),
  },
  'stuck-boot': {
    subject: 'visual-1',
    says: 'visual-1 has been booting for 21 min: ordered',
    bad: (db) =>
      anInstance(db, { name: 'visual-1', phase: 'booting', phaseSince: before(21 * MINUTE_MS), reason: 'ordered' }),
    good: (db, at) => db.fleetInstance.updateMany({ data: { phase: 'ready', phaseSince: at, readyAt: at } }),
  },
  'unhealthy-gpu': {
    subject: 'visual-1',
    says: 'visual-1 has been unhealthy (gpu_lost) for 0 s: XID 79',
    bad: async (db) => {
      await served(db, 'visual-1', NOW);
      await healthOf(db, 'visual-1', NOW, { level: 'unhealthy', failure: 'gpu_lost', reason: 'XID 79' });
    },
    good: (db, at) => healthOf(db, 'visual-1', at, { failure: null }),
  },
  'degraded-gpu': {
    subject: 'visual-1',
    says: 'visual-1 has been degraded (slow) for 10 min: it slows down',
    bad: async (db) => {
      await served(db, 'visual-1', NOW);
      await healthOf(db, 'visual-1', NOW, { level: 'degraded', failure: 'slow', reason: 'it slows down' });
    },
    good: (db, at) => healthOf(db, 'visual-1', at, { failure: null }),
  },
  'health-unmeasured': {
    subject: 'visual-1',
    says: 'visual-1 was not measured for 8 min',
    bad: async (db) => {
      await served(db, 'visual-1', NOW);
      await healthOf(db, 'visual-1', NOW, { lastSampleAt: before(6 * MINUTE_MS) });
    },
    good: (db, at) => healthOf(db, 'visual-1', at),
  },
  'quarantined-share': {
    subject: 'visual',
    says: '1 of 2 machines of pool visual take no work for their health (50 %): visual-2',
    bad: async (db) => {
      await served(db, 'visual-1', NOW);
      await served(db, 'visual-2', NOW);
      await healthOf(db, 'visual-2', NOW, { quarantinedAt: NOW });
    },
    good: (db, at) => healthOf(db, 'visual-2', at, { quarantinedAt: null }),
  },
  'gateway-silent': {
    subject: 'visual-1',
    says: 'Gateway g has said nothing of visual-1 for 4 min',
    bad: (db) => served(db, 'visual-1', before(3 * MINUTE_MS)),
    good: (db, at) => db.instanceServing.updateMany({ data: { seenAt: at } }),
  },
  'orphan-found': {
    subject: 'datacrunch/instance/m-1',
    says: 'Machine dh-test1-visual-9-1 (m-1) at datacrunch was first seen without an owner 1 min ago: it is unknown',
    bad: async (db) => {
      const sighting = {
        provider: 'datacrunch',
        reason: 'it is unknown',
        firstSeenAt: before(MINUTE_MS),
        lastSeenAt: NOW,
        sightings: 1,
      };
      await db.reapCandidate.create({
        data: { id: 'c', kind: 'instance', resourceId: 'm-1', name: 'dh-test1-visual-9-1', ...sighting },
      });
      // Scripts of older configurations go by themselves and cost nothing.
      await db.reapCandidate.create({
        data: { id: 's', kind: 'script', resourceId: 's-1', name: 'script', ...sighting },
      });
    },
    good: (db, at) => db.reapCandidate.updateMany({ where: { id: 'c' }, data: { reapedAt: at } }),
  },
  'orphan-removed': {
    subject: 'datacrunch/volume/v-1',
    says: 'Disk dh-test1-visual-8-1 (v-1) at datacrunch was removed: it is unknown',
    bad: async (db) => {
      const row = { provider: 'datacrunch', reason: 'it is unknown', firstSeenAt: before(MINUTE_MS), sightings: 2 };
      const removed = { ...row, lastSeenAt: NOW, reapedAt: NOW };
      await db.reapCandidate.create({
        data: { id: 'v', kind: 'volume', resourceId: 'v-1', name: 'dh-test1-visual-8-1', ...removed },
      });
      await db.reapCandidate.create({
        data: { id: 'k', kind: 'ssh_key', resourceId: 'k-1', name: 'key', ...removed },
      });
    },
    good: (db, at) => db.reapCandidate.updateMany({ data: { reapedAt: before(2 * HOUR_MS, at) } }),
  },
  'machine-repaired': {
    subject: 'visual-1',
    says: 'visual-1 was rebooted for its health (gpu_lost): XID 79',
    bad: async (db) => {
      const seen = { instanceName: 'visual-1', pool: 'visual', toLevel: 'unhealthy', failure: 'gpu_lost' };
      const rows = [
        { id: 'h1', at: before(MINUTE_MS), action: 'quarantine', ...seen },
        { id: 'h2', at: before(MINUTE_MS / 2), action: 'reboot', ...seen },
        { id: 'h3', at: NOW, action: 'release', ...seen, toLevel: 'healthy' },
      ];
      await db.healthTransition.createMany({ data: rows.map((row) => ({ ...row, reason: 'XID 79' })) });
    },
    good: (db, at) => db.healthTransition.updateMany({ data: { at: before(2 * HOUR_MS, at) } }),
  },
  'spot-evicted': {
    subject: 'visual-1',
    says: 'took back the spot machine of visual-1 (datacrunch/FIN-01/1H100.80S.30V/spot)',
    bad: async (db) => {
      await anInstance(db, { name: 'visual-1', phase: 'gone', endedAt: NOW });
      await db.instanceTransition.create({
        data: {
          id: 'visual-1/90',
          instanceName: 'visual-1',
          position: 90,
          at: NOW,
          toPhase: 'destroying',
          reason: EVICTED,
          offerKey: 'datacrunch/FIN-01/1H100.80S.30V/spot',
        },
      });
    },
    // History is not rewritten: the rule looks back less far.
    good: (db) => db.alertRule.update({ where: { id: 'spot-evicted' }, data: { windowSec: 1 } }),
  },
  'offers-drought': {
    subject: 'visual',
    says: '2 calls wait for pool visual, the oldest for 12 min, and it has no machine: no capacity anywhere',
    bad: async (db) => {
      await anInstance(db, { name: 'visual-1', phase: 'planned', reason: 'no capacity anywhere' });
      await modelCalls(db, await anAnalysis(db), 2, { createdAt: before(11 * MINUTE_MS) });
    },
    good: (db, at) => db.fleetInstance.updateMany({ data: { phase: 'booting', phaseSince: at, providerId: 'm-1' } }),
  },
  'offer-price': {
    subject: 'datacrunch/1H100.80S.30V/ondemand',
    says: 'is rented at $4.00 per hour, 2.00 times what it usually cost',
    bad: async (db) => {
      for (const [index, price] of [2, 2, 1.9, 2.1].entries()) {
        await anInstance(db, { name: `old-${index}`, phase: 'gone', endedAt: before(DAY_MS) });
        await intentOf(db, `old-${index}`, price);
      }
      const offerKey = 'datacrunch/FIN-03/1H100.80S.30V/ondemand';
      await served(db, 'visual-1', NOW, { providerId: 'm-1', offerKey, priceUsdPerHour: 4 });
    },
    good: (db) => db.fleetInstance.updateMany({ where: { name: 'visual-1' }, data: { priceUsdPerHour: 2 } }),
  },
  'budget-near': {
    subject: 'installation/*/month',
    says: 'is used to 85 %: $85.00 of $100.00',
    bad: (db) => budgetUsed(db, 85),
    good: (db) => db.budget.updateMany({ data: { hardUsd: 200 } }),
  },
  'budget-spent': {
    subject: 'installation/*/month',
    says: 'is used to 101 %',
    bad: (db) => budgetUsed(db, 101),
    good: (db) => db.budget.deleteMany(),
  },
  'budget-refusal': {
    subject: 'visual',
    says: 'Pool visual buys nothing: the budget of the month is used up',
    bad: (db) => db.fleetPool.updateMany({ data: { budgetMessage: 'the budget of the month is used up' } }),
    good: (db) => db.fleetPool.updateMany({ data: { budgetMessage: null } }),
  },
  'cost-anomaly': {
    subject: '*',
    says: '$7.00 today and $0.00 yesterday: at most 3.5 times',
    bad: async (db) => {
      for (const [daysAgo, usd] of [7, 0, 2, 1, 3].entries()) if (usd > 0) await spent(db, daysAgo, usd);
    },
    // More days of that kind: then it is what days cost.
    good: async (db) => {
      for (const daysAgo of [5, 6, 7, 8]) await spent(db, daysAgo, 7);
    },
  },
  'account-balance': {
    subject: 'datacrunch',
    says: 'The account at datacrunch had $25.00 left; at $2.00 per hour it lasts 11 h 30 min',
    bad: async (db) => {
      await rentalOf(db, 'r1', { settledUntil: NOW });
      await rentalOf(db, 'ended', { settledUntil: NOW, billedUntil: before(HOUR_MS) });
      await db.balanceSample.create({
        data: { id: 's1', provider: 'datacrunch', amount: 25, currency: 'USD', sampledAt: before(HOUR_MS) },
      });
    },
    good: (db, at) =>
      db.balanceSample.create({
        data: { id: randomUUID(), provider: 'datacrunch', amount: 200, currency: 'USD', sampledAt: at },
      }),
  },
  'ledger-behind': {
    subject: '*',
    says: 'Nothing of r1 was settled for 2 h 10 min',
    bad: async (db) => {
      await rentalOf(db, 'r1', { settledUntil: before(2 * HOUR_MS) });
      await rentalOf(db, 'free', { priceUsdPerHour: 0, settledUntil: before(9 * HOUR_MS) });
      await rentalOf(db, 'settled', { billedUntil: before(DAY_MS / 2), settledUntil: before(DAY_MS / 2) });
    },
    good: (db, at) => db.rental.updateMany({ data: { settledUntil: at } }),
  },
  'deliveries-failing': {
    subject: 'hook',
    says: '3 deliveries to webhook hook (hooks.example) failed within 1 h or wait after 3 tries',
    bad: async (db) => {
      await db.webhook.create({ data: webhook });
      const row = { tenantId: 'default', webhookId: 'hook', event: 'test', lastTriedAt: before(MINUTE_MS) };
      await db.webhookDelivery.createMany({
        data: [
          { id: 'd1', ...row, state: 'failed' },
          { id: 'd2', ...row, state: 'failed' },
          { id: 'd3', ...row, state: 'pending', attempts: 3 },
          { id: 'd4', ...row, state: 'pending', attempts: 2 },
        ],
      });
    },
    good: (db) => db.webhookDelivery.updateMany({ data: { state: 'delivered' } }),
  },
  'disk-space': {
    subject: '*',
    says: 'GiB are free for PDFs and slide images',
    // The disk of this machine cannot be changed: the rule is changed instead.
    bad: (db) => db.alertRule.update({ where: { id: 'disk-space' }, data: { raiseAt: 1, clearAt: 1 } }),
    good: (db) => db.alertRule.update({ where: { id: 'disk-space' }, data: { raiseAt: 0, clearAt: 0 } }),
  },
};

describe('an instance', () => {
  it('an instance that is ordered again and again is coming up since its first order, and anew after it slept', async ({
    db,
  }) => {
    await anInstance(db, { name: 'visual-1', phase: 'booting', phaseSince: before(5 * MINUTE_MS), reason: 'ordered' });
    const steps = [
      ['creating', 90],
      ['booting', 80],
      ['ready', 70],
      ['suspended', 40],
      ['waking', 25],
      // No machine came; the next offer is looked for.
      ['planned', 20],
      ['creating', 15],
      ['booting', 5],
    ] as const;
    await db.instanceTransition.createMany({
      data: steps.map(([toPhase, minutes], position) => ({
        id: `visual-1/${position}`,
        instanceName: 'visual-1',
        position,
        at: before(minutes * MINUTE_MS),
        toPhase,
        reason: 'test',
      })),
    });
    await round(db, NOW);
    expect(await alertsOf(db, 'stuck-boot')).toMatchObject([
      {
        subject: 'visual-1',
        value: 25 * 60,
        message: 'visual-1 has been coming up for 25 min, after other attempts, and booting for 5 min: ordered.',
      },
    ]);
  });

  it('an instance that serves and was never measured is told of', async ({ db }) => {
    await served(db, 'visual-1', NOW, { readyAt: before(6 * MINUTE_MS) });
    for (const minutes of [0, 2]) await round(db, before(-minutes * MINUTE_MS));
    expect(await alertsOf(db, 'health-unmeasured')).toMatchObject([
      { subject: 'visual-1', message: 'visual-1 has served for 8 min and was never measured.' },
    ]);
  });
});

it('no alert says that a machine cordoned by an operator is not looked at; one says so of a quarantined machine', async ({
  db,
}) => {
  await served(db, 'visual-1', NOW, { phase: 'cordoned' });
  await served(db, 'visual-2', NOW, { phase: 'cordoned' });
  await healthOf(db, 'visual-1', before(10 * MINUTE_MS));
  await healthOf(db, 'visual-2', before(10 * MINUTE_MS), { quarantinedAt: before(20 * MINUTE_MS) });
  for (const minutes of [0, 2]) await round(db, before(-minutes * MINUTE_MS));
  expect((await alertsOf(db, 'health-unmeasured')).map(({ subject }) => subject)).toEqual(['visual-2']);
});

describe('the room for PDFs and slide images', () => {
  const directory = folderPerFile();

  it('the space for PDFs and slide images is the quota’s where that is nearer to its end than the disk', async ({
    db,
  }) => {
    await db.alertRule.updateMany({ where: { id: { not: 'disk-space' } }, data: { enabled: false } });
    mkdirSync(path.join(directory, 'deck'));
    writeFileSync(path.join(directory, 'deck', 'slide.webp'), Buffer.alloc(9500));
    await round(db, NOW, { blobDir: directory, blobQuotaBytes: 10_000 });
    const told = await alertsOf(db, 'disk-space');
    expect(told).toMatchObject([{ subject: '*', message: expect.stringContaining('(5 % of the quota)') as string }]);
    expect(told[0]?.value).toBeCloseTo(0.05, 9);
    // The file in the store decides, as it does for writes.
    writeFileSync(path.join(directory, '!quota'), '1000000');
    await round(db, before(-MINUTE_MS), { blobDir: directory, blobQuotaBytes: 10_000 });
    const condition = await db.alertCondition.findFirstOrThrow({ where: { ruleId: 'disk-space' } });
    expect(condition.value).toBeGreaterThan(0.05);
  });
});

describe('an analysis stands still', () => {
  const stillSeconds = async (db: PrismaClient): Promise<number | undefined> => {
    await round(db, NOW);
    const where = { ruleId_subject: { ruleId: 'analysis-still', subject: '*' } };
    return (await db.alertCondition.findUniqueOrThrow({ where })).value;
  };
  const MINUTES = 60;

  it('since its last page, planned call or call that ended, whichever came last; a paused or finished one does not', async ({
    db,
  }) => {
    expect(await stillSeconds(db)).toBe(0);
    const { id: deckId } = await aDeck(db, { pageCount: 1, drawn: 1 });
    await db.slide.updateMany({ data: { createdAt: before(20 * MINUTE_MS) } });
    const started = { createdAt: before(HOUR_MS), startedAt: before(HOUR_MS) };
    await anAnalysis(db, { deckId, ...started, pausedAt: before(HOUR_MS) });
    await anAnalysis(db, { deckId, ...started, status: 'failed' });
    expect(await stillSeconds(db)).toBe(0);
    const analysis = await anAnalysis(db, { deckId, ...started });
    expect(await stillSeconds(db)).toBe(20 * MINUTES);
    await modelCalls(db, analysis, 1, { createdAt: before(10 * MINUTE_MS) });
    expect(await stillSeconds(db)).toBe(10 * MINUTES);
    await modelCalls(db, analysis, 1, {
      state: 'stored',
      createdAt: before(HOUR_MS),
      finishedAt: before(2 * MINUTE_MS),
    });
    expect(await stillSeconds(db)).toBe(2 * MINUTES);
  });

  it('is raised also where no call is open and every machine is well', async ({ db }) => {
    await served(db, 'visual-1', NOW);
    await healthOf(db, 'visual-1', NOW);
    const { id } = await anAnalysis(db, {
      deck: { pageCount: 12 },
      createdAt: before(4 * MINUTE_MS),
      announcedPages: 12,
    });
    await round(db, NOW);
    const { raised } = await round(db, before(-MINUTE_MS));
    expect(raised).toMatchObject([
      { rule: 'analysis-still', subject: '*', message: expect.stringContaining(id) as string },
    ]);
  });
});

/** Rules whose metrics are not read from rows: they have tests of their own. */
const ELSEWHERE: readonly string[] = [
  'worker-silent',
  'schedule-late',
  'schedule-paused',
  'schedule-failing',
  'rule-unread',
  'operator-told',
];

describe('a rule of the seed', () => {
  it('a rule of the seed is tested here or elsewhere, every one', () => {
    const tested = [...Object.keys(COURSES), ...ELSEWHERE];
    expect(tested.toSorted()).toEqual(ALERT_RULES.map(({ id }) => id).toSorted());
  });

  it('a rule of the seed raises nothing on an installation where nothing is wrong', async ({ db }) => {
    await served(db, 'visual-1', NOW, { priceUsdPerHour: 2, providerId: 'm', offerKey: 'datacrunch/F/1H100/ondemand' });
    await healthOf(db, 'visual-1', NOW);
    await db.webhook.create({ data: webhook });
    const outcome = await round(db, NOW);
    expect(outcome).toEqual({ rules: ALERT_RULES.length, raised: [], cleared: [], unread: [] });
  });

  it.for(Object.entries(COURSES))('%s', async ([id, { subject, says, bad, good }], { db }) => {
    const rule = await db.alertRule.findUniqueOrThrow({ where: { id } });
    let at = NOW;
    const roundAfter = (ms: number) => {
      at = new Date(at.getTime() + ms);
      return round(db, at);
    };
    await roundAfter(-MINUTE_MS);
    expect(await alertsOf(db, id)).toEqual([]);
    at = NOW;
    await bad(db);
    await roundAfter(0);
    await roundAfter(rule.raiseForSec * 1000);
    expect(await alertsOf(db, id)).toMatchObject([
      {
        subject,
        message: expect.stringContaining(says) as string,
        title: rule.title,
        severity: rule.severity,
        clearedAt: null,
      },
    ]);
    // As long as it lasts it is one.
    await roundAfter(1000);
    expect(await alertsOf(db, id)).toHaveLength(1);
    // Twice as long, because what is over has to be over for its time first.
    for (const wait of [MINUTE_MS, rule.clearForSec * 1000]) {
      await good(db, new Date(at.getTime() + wait));
      await roundAfter(wait);
    }
    expect(await alertsOf(db, id)).toMatchObject([{ clearedAt: at }]);
    expect((await roundAfter(1000)).raised.filter((alert) => alert.rule === id)).toEqual([]);
  });
});
