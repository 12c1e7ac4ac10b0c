/**
 * Cost reports as schedules make them, on real Temporal and Postgres, over changes of clocks. The deep file beside it takes the server away.
 */
import { ScheduleNotFoundError, ScheduleOverlapPolicy } from '@temporalio/client';
import { DateTime } from 'luxon';
import { expect, it, onTestFinished } from 'vitest';
import { costReportSchema, INSTALLATION_SCOPE, type CostReport } from '../../../../domain/costs/report/document.ts';
import type { CostReport as CostReportRow } from '../../../../generated/prisma/client.ts';
import { loadFleet } from '../../../../clouds/fleet-file.ts';
import { ensureSchedules } from '../../../../workers/control/schedules/ensure.ts';
import { scheduleTable } from '../../../../workers/control/schedules/table.ts';
import { COST_REPORT_WORKFLOW, makeCostReportScheduleId } from '../../../../contracts/costs.ts';
import { writeMadeUpLedger } from '../../../../testing/costs/ledger-rows.ts';
import { dateIn, rawLedger, recomputed, usdOf } from '../../../../testing/costs/recomputed.ts';
import { sumsOfReport } from '../../../../testing/costs/report-sums.ts';
import { rigPerFile } from '../../../../testing/rig.ts';
import { propertyRuns } from '../../../../testing/tier.ts';
import { until } from '../../../../testing/until.ts';
import { startWebhookReceiver } from '../../../../testing/webhook-receiver.ts';

const BERLIN = 'Europe/Berlin';
const DAILY = makeCostReportScheduleId('daily');
const rig = rigPerFile({ fleet: { accounting: { timezone: BERLIN, reportHour: 6 } } });

const berlin = (local: string): Date => DateTime.fromISO(local, { zone: BERLIN }).toJSDate();
const documentOf = (row: CostReportRow): CostReport => costReportSchema.parse(row.document);

/** Runs of a schedule's workflow that are not over. */
async function running(idPrefix: string): Promise<number> {
  const query = `WorkflowType = '${COST_REPORT_WORKFLOW}' AND ExecutionStatus = 'Running' AND WorkflowId STARTS_WITH '${idPrefix}'`;
  return (await rig.temporal.workflow.count(query)).count;
}

/** Days around each change of clocks. */
const DAYS = propertyRuns(20);

const from = { march: '2026-03-22', october: '2026-10-20' };
const days = [from.march, from.october].flatMap((first) =>
  Array.from({ length: DAYS }, (_, i) => DateTime.fromISO(first, { zone: 'utc' }).plus({ days: i }).toISODate() ?? ''),
);

it('scenario 51: each local day has exactly one report, and its numbers are those of its rows', async () => {
  for (const [seed, first] of [from.march, from.october].entries()) {
    const fromMs = berlin(first).getTime() - 86_400_000;
    await writeMadeUpLedger(rig.db, { seed, fromMs, untilMs: fromMs + 23 * 86_400_000, entries: 3000 });
  }
  const schedule = rig.temporal.schedule.getHandle(DAILY);
  await until(() =>
    schedule
      .describe()
      .catch((error: unknown) => (error instanceof ScheduleNotFoundError ? null : Promise.reject(error))),
  ).is((found) => found !== null);
  // The report of a day is made on the morning after.
  await schedule.backfill(
    [from.march, from.october].map((first) => ({
      start: DateTime.fromISO(`${first}T12:00`, { zone: BERLIN }).toJSDate(),
      end: DateTime.fromISO(`${first}T12:00`, { zone: BERLIN }).plus({ days: DAYS }).toJSDate(),
      overlap: ScheduleOverlapPolicy.ALLOW_ALL,
    })),
  );
  const rows = await until(() =>
    rig.db.costReport.findMany({ where: { kind: 'daily', scope: INSTALLATION_SCOPE }, orderBy: { period: 'asc' } }),
  ).is((found) => found.length >= days.length);
  await until(() => running('cost-report/daily')).is(0);
  expect(rows.map(({ period }) => period)).toEqual(days);

  const raw = await rawLedger(rig.db);
  const mine = (row: CostReportRow, scope: string) =>
    raw.filter((r) => dateIn(BERLIN, r.atMs) === row.period && (scope === INSTALLATION_SCOPE || r.tenantId === scope));
  for (const row of rows) {
    expect(sumsOfReport(documentOf(row)), row.period).toEqual(recomputed(mine(row, INSTALLATION_SCOPE), BERLIN));
    expect(Number(row.totalUsd)).toBeGreaterThan(0);
  }
  const hours = new Map(rows.map((r) => [r.period, (r.untilAt.getTime() - r.fromAt.getTime()) / 3_600_000]));
  expect([hours.get('2026-03-28'), hours.get('2026-03-29'), hours.get('2026-10-25')]).toEqual([24, 23, 25]);

  // Every tenant has its own, of its own rows alone.
  for (const scope of ['default', 'other']) {
    const own = await rig.db.costReport.findMany({ where: { kind: 'daily', scope } });
    expect(own).toHaveLength(days.length);
    for (const row of own) {
      expect(sumsOfReport(documentOf(row)), `${scope} ${row.period}`).toEqual(recomputed(mine(row, scope), BERLIN));
    }
  }
  // Nothing is counted twice or forgotten between neighbours.
  const sum = rows.reduce((nanos, { totalUsd }) => nanos + BigInt(totalUsd.times(1e9).toFixed(0)), 0n);
  const inDays = raw.filter((r) => days.includes(dateIn(BERLIN, r.atMs)));
  expect(usdOf(sum)).toBe(recomputed(inDays, BERLIN)['totalUsd']);
});

it('the same backfill again makes no report twice: each keeps its id and its numbers', async () => {
  const before = await rig.db.costReport.findMany({ where: { kind: 'daily' }, orderBy: { id: 'asc' } });
  await rig.temporal.schedule.getHandle(DAILY).backfill({
    start: berlin('2026-03-27T12:00'),
    end: berlin('2026-03-31T12:00'),
    overlap: ScheduleOverlapPolicy.ALLOW_ALL,
  });
  const made = await until(() => rig.db.costReport.findMany({ where: { kind: 'daily' }, orderBy: { id: 'asc' } })).is(
    (rows) => rows.filter((row, i) => row.updatedAt > (before[i]?.updatedAt ?? row.updatedAt)).length === 4 * 3,
  );
  const steady = ({ id, period, scope, totalUsd }: CostReportRow): unknown => [id, period, scope, totalUsd.toFixed()];
  expect(made.map(steady)).toEqual(before.map(steady));
});

it('a requested report exists when the request is answered, made once, and in every form', async () => {
  const asked = { period: '2026-W13' };
  const [one, two] = await Promise.all([
    rig.client.POST('/costs/reports', { body: asked }),
    rig.client.POST('/costs/reports', { body: asked }),
  ]);
  expect(one).toMatchObject({ kind: 'weekly', period: '2026-W13', timezone: BERLIN, complete: true });
  expect(two.id).toBe(one.id);
  const report = await rig.client.GET('/costs/reports/{id}', { params: { path: { id: one.id } } });
  const raw = await rawLedger(rig.db);
  const days = report.days.map(({ day }) => day);
  expect(days).toHaveLength(7);
  const own = raw.filter(({ atMs }) => days.includes(dateIn(BERLIN, atMs)));
  expect(sumsOfReport(report)).toEqual(recomputed(own, BERLIN));
  // The first rows are of the week before: that week is not empty either.
  expect(Number(report.previous.totalUsd)).toBeGreaterThan(0);
  expect(
    await rig.client.text('/costs/reports/{id}', {
      params: { path: { id: one.id }, query: { format: 'md' } },
      parseAs: 'text',
    }),
  ).toContain('# Costs 2026-W13');
  expect(await rig.client.POST('/costs/reports', { body: asked })).toEqual(one);
  const again = await rig.client.POST('/costs/reports', { body: { ...asked, again: true } });
  expect([again.id, again.updatedAt > one.updatedAt]).toEqual([one.id, true]);
});

it('webhooks that name the event are told once of each report, a tenant of its own alone', async () => {
  const receivers = { operator: await startWebhookReceiver(), other: await startWebhookReceiver() };
  for (const receiver of Object.values(receivers)) onTestFinished(() => receiver.close());
  await rig.client.POST('/webhooks', { body: { url: receivers.operator.url, events: ['cost_report.ready'] } });
  // One that wants every end of an analysis has not asked for this.
  await rig.client.POST('/webhooks', { body: { url: `${receivers.operator.url}/all` } });
  await rig.db.tenant.create({ data: { id: 'other', name: 'Other' } });
  // A tenant without an operator: another tenant's operator made it.
  const secret = `whsec_${Buffer.alloc(32).toString('base64')}`;
  await rig.db.webhook.create({
    data: { id: 'other', tenantId: 'other', url: receivers.other.url, secret, events: ['cost_report.ready'] },
  });
  for (let times = 0; times < 2; times += 1)
    await rig.client.POST('/costs/reports', { body: { period: '2026-10', again: true } });
  const deliveries = await until(() => rig.db.webhookDelivery.findMany({ include: { costReport: true } })).is(
    (rows) => rows.length > 0 && rows.every(({ state }) => state === 'delivered'),
  );
  const told = deliveries.map(({ tenantId, costReport }) => [tenantId, costReport?.scope, costReport?.period]);
  expect(told.toSorted((a, b) => String(a).localeCompare(String(b)))).toEqual([
    ['default', '*', '2026-10'],
    ['default', 'default', '2026-10'],
    ['other', 'other', '2026-10'],
  ]);
  const [body] = receivers.other.received.map((request) => JSON.parse(String(request.body)) as Record<string, unknown>);
  expect(body).toMatchObject({
    type: 'cost_report.ready',
    data: {
      scope: 'other',
      period: '2026-10',
      complete: true,
      reportUrl: expect.stringContaining('/costs/reports/') as string,
    },
  });
  expect(receivers.operator.received).toHaveLength(2);
});

it('schedules are listed with what is due, and one that is paused stays so over a start of the control process', async () => {
  const found = async (id: string) => (await rig.client.GET('/schedules')).items.find((schedule) => schedule.id === id);
  const ids = (await rig.client.GET('/schedules')).items.map(({ id }) => id);
  expect(ids).toEqual(
    expect.arrayContaining(['alerts', 'cost-report-monthly', 'cost-report-weekly', DAILY, 'ledger-settle']),
  );
  // Servers that run already leave nothing to reap.
  expect(ids).not.toContain('reaper');
  const daily = await found(DAILY);
  expect(daily).toMatchObject({ paused: false, timezone: BERLIN, everyMs: null, missed: 0 });
  const next = DateTime.fromISO(daily?.nextTimes[0] ?? '', { zone: BERLIN });
  expect([next.hour, next.minute]).toEqual([6, 0]);
  expect(daily?.recent[0]).toMatchObject({ status: 'completed' });

  await rig.client.POST('/schedules/{id}/{request}', { params: { path: { id: DAILY, request: 'pause' } } });
  await ensureSchedules(rig.temporal, scheduleTable(loadFleet(rig.config), Date.now()));
  expect(await found(DAILY)).toMatchObject({
    paused: true,
    nextTimes: [],
    note: expect.stringContaining('paused by') as string,
  });
  const runs = () => rig.temporal.workflow.count(`WorkflowType = '${COST_REPORT_WORKFLOW}'`);
  const before = (await runs()).count;
  await rig.client.POST('/schedules/{id}/{request}', { params: { path: { id: DAILY, request: 'trigger' } } });
  await until(runs).is(({ count }) => count === before + 1);
  expect(
    await rig.client.POST('/schedules/{id}/{request}', { params: { path: { id: DAILY, request: 'resume' } } }),
  ).toMatchObject({ paused: false });
  // Ensured as often as control processes start, there is one time a day.
  expect((await found(DAILY))?.nextTimes.map((at) => DateTime.fromISO(at, { zone: BERLIN }).hour)).toEqual([6, 6, 6]);
});
