/**
 * Cost reports of a schedule whose Temporal server is killed again and again for a while.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { ScheduleOverlapPolicy } from '@temporalio/client';
import { expect, it } from 'vitest';
import { INSTALLATION_SCOPE } from '../../../../domain/costs/report/document.ts';
import type { CostReport as CostReportRow } from '../../../../generated/prisma/client.ts';
import { ensureSchedule } from '../../../../workers/control/schedules/ensure.ts';
import { COST_REPORT_WORKFLOW } from '../../../../contracts/costs.ts';
import { writeMadeUpLedger } from '../../../../testing/costs/ledger-rows.ts';
import { rawLedger, recomputed } from '../../../../testing/costs/recomputed.ts';
import { startRig } from '../../../../testing/rig.ts';
import { until } from '../../../../testing/until.ts';
import { perFile } from '../../../../testing/per-file.ts';

const BERLIN = 'Europe/Berlin';
const rig = perFile(() => startRig({ fleet: { accounting: { timezone: BERLIN, reportHour: 6 } } }));

/** Runs of a schedule's workflow that are not over. */
async function running(idPrefix: string): Promise<number> {
  const query = `WorkflowType = '${COST_REPORT_WORKFLOW}' AND ExecutionStatus = 'Running' AND WorkflowId STARTS_WITH '${idPrefix}'`;
  return (await rig.temporal.workflow.count(query)).count;
}

const EVERY_MS = 3000;
const AWAY_MS = 12_000;
const entry = {
  id: 'cost-report-seconds',
  what: 'Report on the last seconds',
  workflowType: COST_REPORT_WORKFLOW,
  workflowId: 'cost-report/seconds',
  args: [{ ask: { what: 'span', lengthMs: EVERY_MS, timezone: BERLIN } }],
  spec: { intervals: [{ every: EVERY_MS }] },
  overlap: ScheduleOverlapPolicy.ALLOW_ALL,
  catchUpMs: 7 * 86_400_000,
  atStart: false,
};
const reports = (): Promise<CostReportRow[]> =>
  rig.db.costReport.findMany({ where: { kind: 'manual', scope: INSTALLATION_SCOPE }, orderBy: { fromAt: 'asc' } });

it('every period has exactly one report afterwards, those that were missed too', async () => {
  const nowMs = Date.now();
  await writeMadeUpLedger(rig.db, {
    seed: 7,
    fromMs: nowMs - 30_000,
    untilMs: nowMs + 300_000,
    entries: 3000,
    longestMs: 500,
    provider: 'seconds',
  });
  await ensureSchedule(rig.temporal, entry);
  await until(reports).is((rows) => rows.length >= 2);
  const goneMs = Date.now();
  while (Date.now() - goneMs < AWAY_MS) {
    // Whenever the supervisor has it running again.
    const { children } = await rig.runtime.status();
    const pid = children.find((child) => child.name === 'temporal')?.pid;
    if (pid !== undefined && pid !== null) process.kill(pid, 'SIGKILL');
    await delay(200);
  }
  const backMs = Date.now();
  await until(reports).is((rows) => (rows.at(-1)?.untilAt.getTime() ?? 0) > backMs + 2 * EVERY_MS);
  await rig.temporal.schedule.getHandle(entry.id).pause('the test has seen enough');
  await until(() => running(entry.workflowId)).is(0);

  const rows = await reports();
  const firstMs = rows[0]?.untilAt.getTime() ?? 0;
  const lastMs = rows.at(-1)?.untilAt.getTime() ?? 0;
  const due = Array.from({ length: (lastMs - firstMs) / EVERY_MS + 1 }, (_, i) => firstMs + i * EVERY_MS);
  expect(rows.map(({ untilAt }) => untilAt.getTime())).toEqual(due);
  expect(due.filter((atMs) => atMs > goneMs && atMs < backMs).length).toBeGreaterThanOrEqual(3);
  const raw = await rawLedger(rig.db);
  for (const { period, fromAt, untilAt, totalUsd } of rows) {
    const own = raw.filter(({ atMs }) => atMs >= fromAt.getTime() && atMs < untilAt.getTime());
    expect(totalUsd.toFixed(), period).toBe(recomputed(own, BERLIN)['totalUsd']);
  }
});
