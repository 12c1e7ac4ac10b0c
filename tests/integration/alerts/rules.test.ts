/** Every seeded rule on real rows: it raises one alert when its condition comes, and clears it when it goes. */
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { EVICTED } from '../../../domain/fleet/instance-life/running.ts';
import type { Prisma, PrismaClient } from '../../../generated/prisma/client.ts';
import { noteAnswer } from '../../../activities/metrics/provider-answers.ts';
import { ALERT_RULES } from '../../../prisma/seed/alert-rules.ts';
import { itWithFreshDatabase as it } from '../../../testing/database.ts';
import {
  aDeck,
  anAnalysis,
  anInstance,
  aPool,
  modelCalls,
  NOW,
  aRental,
  aLedgerEntry,
  aCreateIntent,
  aHistory,
  aReapCandidate,
  aWebhook,
} from '../../../testing/make.ts';
import { alertsOf, anyDisk, noDisk, round, before, served, healthOf, HOUR_MS, MINUTE_MS, DAY_MS } from './rounds.ts';

/** A pool that looks, with its instances awake unless a test says otherwise. */
it.beforeEach(async ({ db }) => {
  await anyDisk(db);
  await aPool(db, { reasons: ['work waits'], nextLookAt: NOW });
});

/** A machine that is served, whose health is this. */
const judged = async (db: PrismaClient, values: Parameters<typeof healthOf>[3]): Promise<void> => {
  await served(db, 'visual-1', NOW);
  await healthOf(db, 'visual-1', NOW, values);
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
/** Cost of a day so many days before now. */
const spent = async (db: PrismaClient, daysAgo: number, amountUsd: number): Promise<void> => {
  const { id: rentalId } = await aRental(db, {
    settledUntil: NOW,
    settledUsd: amountUsd,
    closedAt: NOW,
    billedUntil: NOW,
  });
  await aLedgerEntry(db, { rentalId, amountUsd, fromAt: before(daysAgo * DAY_MS) });
};
const budgetUsed = async (db: PrismaClient, usedUsd: number): Promise<void> => {
  await db.budget.create({ data: { id: 'b', scope: 'installation', period: 'month', hardUsd: 100 } });
  await spent(db, 0, usedUsd);
};

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
    bad: (db) => judged(db, { level: 'unhealthy', failure: 'gpu_lost', reason: 'XID 79' }),
    good: (db, at) => healthOf(db, 'visual-1', at, { failure: null }),
  },
  'degraded-gpu': {
    subject: 'visual-1',
    says: 'visual-1 has been degraded (slow) for 10 min: it slows down',
    bad: (db) => judged(db, { level: 'degraded', failure: 'slow', reason: 'it slows down' }),
    good: (db, at) => healthOf(db, 'visual-1', at, { failure: null }),
  },
  'health-unmeasured': {
    subject: 'visual-1',
    says: 'visual-1 was not measured for 8 min',
    bad: (db) => judged(db, { lastSampleAt: before(6 * MINUTE_MS) }),
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
  'provider-silent': {
    subject: 'datacrunch',
    says: 'datacrunch has not answered for',
    bad: async (db) => {
      await noteAnswer(db, 'datacrunch', before(20 * MINUTE_MS));
      // One that the fleet does not name any more says nothing.
      await noteAnswer(db, 'elsewhere', before(20 * MINUTE_MS));
    },
    good: (db, at) => noteAnswer(db, 'datacrunch', at),
  },
  'orphan-found': {
    subject: 'datacrunch/instance/m-1',
    says: 'Machine dh-test1-visual-9-1 (m-1) at datacrunch was first seen without an owner 1 min ago: it is unknown',
    bad: async (db) => {
      await aReapCandidate(db, { resourceId: 'm-1', name: 'dh-test1-visual-9-1', reason: 'it is unknown' });
      // Scripts of older configurations go by themselves and cost nothing.
      await aReapCandidate(db, { kind: 'script', resourceId: 's-1' });
    },
    good: (db, at) => db.reapCandidate.updateMany({ where: { id: 'm-1' }, data: { reapedAt: at } }),
  },
  'orphan-removed': {
    subject: 'datacrunch/volume/v-1',
    says: 'Disk dh-test1-visual-8-1 (v-1) at datacrunch was removed: it is unknown',
    bad: async (db) => {
      const removed = { reason: 'it is unknown', sightings: 2, reapedAt: NOW };
      await aReapCandidate(db, { kind: 'volume', resourceId: 'v-1', name: 'dh-test1-visual-8-1', ...removed });
      await aReapCandidate(db, { kind: 'ssh_key', resourceId: 'k-1', ...removed });
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
      const offerKey = 'datacrunch/FIN-01/1H100.80S.30V/spot';
      await aHistory(db, 'visual-1', [{ at: NOW, toPhase: 'destroying', reason: EVICTED, offerKey }]);
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
        const made = { state: 'created', providerId: 'm', createdAt: before(2 * DAY_MS) } as const;
        await aCreateIntent(db, { instanceName: `old-${index}`, priceUsdPerHour: price, ...made });
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
      await aRental(db, { settledUntil: NOW });
      await aRental(db, { settledUntil: NOW, billedUntil: before(HOUR_MS) });
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
      await aRental(db, { id: 'r1', settledUntil: before(2 * HOUR_MS) });
      await aRental(db, { priceUsdPerHour: 0, settledUntil: before(9 * HOUR_MS) });
      await aRental(db, { billedUntil: before(DAY_MS / 2), settledUntil: before(DAY_MS / 2) });
    },
    good: (db, at) => db.rental.updateMany({ data: { settledUntil: at } }),
  },
  'deliveries-failing': {
    subject: 'hook',
    says: '3 deliveries to webhook hook (hooks.example) failed within 1 h or wait after 3 tries',
    bad: async (db) => {
      await aWebhook(db, { url: 'https://hooks.example/in' });
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
    bad: noDisk,
    good: anyDisk,
  },
};

/** Rules whose metrics are not read from rows: they have tests of their own. */
const ELSEWHERE: readonly string[] = [
  'worker-silent',
  'schedule-late',
  'schedule-paused',
  'schedule-failing',
  'rule-unread',
  'operator-told',
];

it('a rule of the seed is tested here or elsewhere, every one', () => {
  const tested = [...Object.keys(COURSES), ...ELSEWHERE];
  expect(tested.toSorted()).toEqual(ALERT_RULES.map(({ id }) => id).toSorted());
});

it('a rule of the seed raises nothing on an installation where nothing is wrong', async ({ db }) => {
  await served(db, 'visual-1', NOW, { priceUsdPerHour: 2, providerId: 'm', offerKey: 'datacrunch/F/1H100/ondemand' });
  await healthOf(db, 'visual-1', NOW);
  await aWebhook(db);
  const outcome = await round(db, NOW);
  expect(outcome).toEqual({ rules: ALERT_RULES.length, raised: [], cleared: [], unread: [] });
});

it.for(Object.entries(COURSES))(
  'rule %s raises one alert when its condition comes, and clears it when it goes',
  async ([id, { subject, says, bad, good }], { db }) => {
    const rule = await db.alertRule.findUniqueOrThrow({ where: { id } });
    // Rules are judged by themselves; the test above judges all of them.
    await db.alertRule.deleteMany({ where: { id: { not: id } } });
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
  },
);
