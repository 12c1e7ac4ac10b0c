/** Rounds of alert rules on a real database: written once however often and however late, told to whom it concerns, and never lost. */
import { randomUUID } from 'node:crypto';
import { MockActivityEnvironment } from '@temporalio/testing';
import { describe, expect } from 'vitest';
import { removeOldAlerts } from '../../../activities/alerts/store.ts';
import { tellOperator } from '../../../activities/alerts/operator-told.ts';
import { storeRound } from '../../../activities/alerts/store.ts';
import {
  createInstanceActivities,
  type InstanceActivitiesOptions,
} from '../../../activities/fleet/instance/activities.ts';
import { sample, type MetricSource } from '../../../activities/metrics/source.ts';
import type { Reading } from '../../../domain/alerts/evaluate.ts';
import type { MetricName } from '../../../domain/metrics/catalogue.ts';
import type { Prisma, PrismaClient } from '../../../generated/prisma/client.ts';
import { createLogger } from '../../../platform/log.ts';
import { applySeed } from '../../../prisma/apply-seed.ts';
import { ALERT_RULES } from '../../../prisma/seed/alert-rules.ts';
import { itWithFreshDatabase as it } from '../../../testing/database.ts';
import { ago, anInstance, NOW, aWebhook } from '../../../testing/make.ts';
import { alertsOf, anyDisk, round, silent } from './rounds.ts';

/** A rule without waits. */
const RULE = 'stuck-boot';
const later = (seconds: number): Date => ago(-seconds);
const reading = (value: number, subject = 'visual-1'): Reading => ({ subject, value, message: `${subject}: ${value}` });
const look = (db: PrismaClient, value: number, at: Date): ReturnType<typeof storeRound> =>
  storeRound(db, RULE, [reading(value)], at);

const told = async (db: PrismaClient): Promise<string[]> => {
  const rows = await db.webhookDelivery.findMany({ orderBy: [{ webhookId: 'asc' }, { createdAt: 'asc' }] });
  return rows.map(({ webhookId, event, state }) => `${webhookId} ${event} ${state}`);
};

describe('a round', () => {
  it('a round that is made many times at once raises one alert and tells it once', async ({ db }) => {
    await aWebhook(db, { id: 'ops', events: ['alert.raised', 'alert.cleared'] });
    await Promise.all(Array.from({ length: 6 }, () => look(db, 1500, NOW)));
    expect(await alertsOf(db, RULE)).toMatchObject([{ subject: 'visual-1', value: 1500, clearedAt: null }]);
    expect(await told(db)).toEqual(['ops alert.raised pending']);
    await Promise.all(Array.from({ length: 6 }, () => look(db, 0, later(60))));
    expect(await alertsOf(db, RULE)).toMatchObject([{ clearedAt: later(60) }]);
    expect(await told(db)).toEqual(['ops alert.raised pending', 'ops alert.cleared pending']);
    await look(db, 1500, later(120));
    expect(await alertsOf(db, RULE)).toHaveLength(2);
  });

  it('a round that comes late, because it was given up and went on, changes nothing', async ({ db }) => {
    await look(db, 0, later(30));
    expect(await look(db, 1500, NOW)).toEqual({ raised: [], cleared: [] });
    expect(await alertsOf(db, RULE)).toEqual([]);
    // A clock that was set back by hours is no late round.
    await look(db, 1500, ago(7200));
    expect(await alertsOf(db, RULE)).toHaveLength(1);
  });

  it('a round clears what has vanished, and what belongs to a rule that is switched off', async ({ db }) => {
    await storeRound(db, RULE, [reading(1500, 'a'), reading(1500, 'b')], NOW);
    await storeRound(db, RULE, [reading(1500, 'b')], later(60));
    expect((await alertsOf(db, RULE)).filter(({ clearedAt }) => clearedAt !== null)).toMatchObject([{ subject: 'a' }]);
    await db.alertRule.update({ where: { id: RULE }, data: { enabled: false } });
    await round(db, later(120));
    expect((await alertsOf(db, RULE)).every(({ clearedAt }) => clearedAt !== null)).toBe(true);
    expect(await db.alertCondition.count({ where: { ruleId: RULE } })).toBe(0);
  });

  it('a round is told to webhooks of operators that name the event, and to no others', async ({ db }) => {
    for (const id of ['operators', 'analysts', 'revoked']) await db.tenant.create({ data: { id, name: id } });
    const key = (tenantId: string, values: Partial<Prisma.ApiKeyUncheckedCreateInput>) => {
      const id = randomUUID();
      return db.apiKey.create({
        data: { id, tenantId, name: 'k', prefix: 'dh_', keySha256: id, role: 'operator', ...values },
      });
    };
    await key('operators', {});
    await key('analysts', { role: 'analyst' });
    await key('revoked', { revokedAt: NOW });
    const events = ['alert.raised'];
    await aWebhook(db, { id: 'of-default', events });
    await aWebhook(db, { id: 'of-operators', tenantId: 'operators', events });
    await aWebhook(db, { id: 'of-analysts', tenantId: 'analysts', events });
    await aWebhook(db, { id: 'of-revoked', tenantId: 'revoked', events });
    await aWebhook(db, { id: 'unnamed' });
    await aWebhook(db, { id: 'others', events: ['analysis.failed'] });
    await aWebhook(db, { id: 'disabled', events, disabledAt: NOW });
    await look(db, 1500, NOW);
    await look(db, 0, later(60));
    expect(await told(db)).toEqual(['of-default alert.raised pending', 'of-operators alert.raised pending']);
    expect(await db.webhookDelivery.findFirst({ where: { webhookId: 'of-operators' } })).toMatchObject({
      tenantId: 'operators',
    });
  });

  it('a round leaves what a rule raised as it is while its metric cannot be read, says so, and judges the others', async ({
    db,
  }) => {
    await look(db, 1500, NOW);
    const source = (metric: MetricName, read: MetricSource['read']): MetricSource => ({
      name: metric,
      metrics: [metric],
      isSlow: false,
      read,
    });
    const fails = source('boot_seconds', () => Promise.reject(new Error('connection refused')));
    const works = source('disk_free_ratio', () => Promise.resolve([sample('disk_free_ratio', {}, 0.01, 'full')]));
    await db.alertRule.updateMany({
      where: { id: { notIn: [RULE, 'disk-space', 'rule-unread'] } },
      data: { enabled: false },
    });
    for (const seconds of [60, 120, 240, 420]) {
      const { unread } = await round(db, later(seconds), { sources: [fails, works] });
      expect(unread.map(({ rule }) => rule)).toEqual([RULE]);
    }
    expect(await db.alert.findMany({ where: { clearedAt: null }, orderBy: { ruleId: 'asc' } })).toMatchObject([
      { ruleId: 'disk-space', subject: '*' },
      { ruleId: 'rule-unread', subject: RULE, raisedAt: later(420) },
      { ruleId: RULE, subject: 'visual-1' },
    ]);
    await round(db, later(480), { sources: [silent(fails), works] });
    expect(await db.alert.findMany({ where: { clearedAt: null } })).toMatchObject([{ ruleId: 'disk-space' }]);
  });

  it('a rule whose metric this version does not know is not judged, and does not stop the round', async ({ db }) => {
    await db.alertRule.update({ where: { id: RULE }, data: { metric: 'of_a_later_version' } });
    const { unread } = await round(db, NOW);
    expect(unread).toMatchObject([{ rule: RULE }]);
  });

  it('a webhook that does not take what tells of it keeps no alert alive', async ({ db }) => {
    await anyDisk(db);
    await aWebhook(db, { id: 'ops', events: ['alert.raised'] });
    const failed = { tenantId: 'default', webhookId: 'ops', state: 'failed', lastTriedAt: ago(60) } as const;
    const deliveries = [1, 2, 3].map((n) => ({ ...failed, id: `d${n}`, event: 'test' }));
    await db.webhookDelivery.createMany({ data: deliveries });
    await round(db, NOW);
    expect(await alertsOf(db, 'deliveries-failing')).toHaveLength(1);
    // The news of it fails too; an hour later the others are out of the window.
    const news = await db.webhookDelivery.updateMany({
      where: { alertId: { not: null } },
      data: { state: 'failed', lastTriedAt: later(3600) },
    });
    expect(news.count).toBe(1);
    await round(db, later(3700));
    expect(await alertsOf(db, 'deliveries-failing')).toMatchObject([{ clearedAt: later(3700) }]);
  });
});

describe('what the life of an instance tells an operator', () => {
  const tell = (db: PrismaClient, text: string, at = NOW) => tellOperator(db, { instance: 'visual-1', text }, at);
  const open = async (db: PrismaClient) =>
    (await alertsOf(db, 'operator-told')).filter(({ clearedAt }) => clearedAt === null).map(({ message }) => message);

  it('what the life of an instance tells an operator is one alert for each text, told once, and over when the instance has been gone for a while', async ({
    db,
  }) => {
    await anyDisk(db);
    await anInstance(db, { name: 'visual-1', phase: 'suspended' });
    await aWebhook(db, { id: 'ops', events: ['alert.raised', 'alert.cleared'] });
    await Promise.all([tell(db, 'the account is empty'), tell(db, 'the account is empty'), tell(db, 'a disk is left')]);
    await tell(db, 'the account is empty', later(60));
    expect((await open(db)).toSorted()).toEqual(['a disk is left', 'the account is empty']);
    await round(db, later(120));
    expect(await open(db)).toHaveLength(2);
    await db.fleetInstance.update({ where: { name: 'visual-1' }, data: { phase: 'gone', endedAt: later(120) } });
    await round(db, later(600));
    expect(await open(db)).toHaveLength(2);
    await round(db, later(721));
    expect(await open(db)).toEqual([]);
    expect((await told(db)).toSorted()).toEqual([
      'ops alert.cleared pending',
      'ops alert.cleared pending',
      'ops alert.raised pending',
      'ops alert.raised pending',
    ]);
  });

  it('what the life of an instance tells an operator comes by the activity of its life', async ({ db }) => {
    const parts = { db, log: createLogger('test', { logLevel: 'silent' }) } as InstanceActivitiesOptions;
    const activities = createInstanceActivities(parts);
    const alertOperator: typeof activities.alertOperator = (asked) => activities.alertOperator(asked);
    const input = { instance: 'visual-1', pool: 'visual', text: 'the account is empty' };
    for (let tries = 0; tries < 2; tries += 1) await new MockActivityEnvironment().run(alertOperator, input);
    expect(await open(db)).toEqual(['the account is empty']);
  });

  it('what the life of an instance tells an operator is told whatever a machine or provider has said, once', async ({
    db,
  }) => {
    for (let tries = 0; tries < 2; tries += 1) await tell(db, `it said \u0000\uD800 ${'x'.repeat(50_000)}`);
    const [message, ...more] = await open(db);
    expect(message).toMatch(/^it said .*x/u);
    expect([more, (message ?? '').length < 3000]).toEqual([[], true]);
  });

  it('what the life of an instance tells an operator is none while the rule is switched off', async ({ db }) => {
    await tell(db, 'unowned');
    await db.alertRule.update({ where: { id: 'operator-told' }, data: { enabled: false } });
    await tell(db, 'another');
    expect(await open(db)).toEqual(['unowned']);
    await round(db, later(60));
    expect(await open(db)).toEqual([]);
  });
});

describe('the rules of the seed', () => {
  it('the rules of the seed are there, and an unchanged seed writes nothing', async ({ db }) => {
    const rows = await db.alertRule.findMany({ orderBy: { id: 'asc' } });
    expect(rows.map(({ id }) => id)).toEqual(ALERT_RULES.map(({ id }) => id).toSorted());
    expect(await applySeed(db)).toBe(false);
    expect(await db.alertRule.findMany({ orderBy: { id: 'asc' } })).toEqual(rows);
  });

  it('seeding updates rules that were not edited, adds missing ones, and keeps those that an operator edited', async ({
    db,
  }) => {
    await db.alertRule.update({ where: { id: 'backlog-age' }, data: { raiseAt: 1, advice: 'of an older version' } });
    const mine = { raiseAt: 7, advice: 'mine', updatedAt: new Date() };
    await db.alertRule.update({ where: { id: RULE }, data: mine });
    await db.alertRule.delete({ where: { id: 'disk-space' } });
    expect(await applySeed(db)).toBe(true);
    const raiseAt = async (id: string) => (await db.alertRule.findUniqueOrThrow({ where: { id } })).raiseAt;
    expect([await raiseAt('backlog-age'), await raiseAt(RULE), await raiseAt('disk-space')]).toEqual([600, 7, 0.1]);
    expect(await applySeed(db)).toBe(false);
  });
});

it('alerts that have been over for 180 days are removed with their log; open ones stay', async ({ db }) => {
  await aWebhook(db, { id: 'ops', events: ['alert.raised'] });
  const alert = (id: string, clearedAt: Date | null) => ({
    id,
    ruleId: RULE,
    subject: id,
    title: 't',
    advice: '',
    severity: 'info',
    message: '',
    value: 1,
    raisedAt: ago(200 * 86_400),
    clearedAt,
  });
  await db.alert.createMany({
    data: [alert('old', ago(181 * 86_400)), alert('young', ago(179 * 86_400)), alert('open', null)],
  });
  await db.webhookDelivery.create({
    data: { id: 'd', tenantId: 'default', webhookId: 'ops', alertId: 'old', event: 'alert.raised' },
  });
  await removeOldAlerts(db, NOW);
  expect((await db.alert.findMany({ orderBy: { id: 'asc' } })).map(({ id }) => id)).toEqual(['open', 'young']);
  expect(await told(db)).toEqual([]);
});
