/** Everything done by the clock: the table of schedules, and what docs/costs.md says of it and of reports. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ScheduleOverlapPolicy } from '@temporalio/client';
import { describe, expect, it } from 'vitest';
import type { ScheduleDocument } from '../../../../api/client.ts';
import { renderReportCsv } from '../../../../api/costs/report-csv.ts';
import { renderSchedule, renderSchedules } from '../../../../cli/schedules/table.ts';
import { parsePeriod } from '../../../../domain/costs/report/period.ts';
import { slotsOf } from '../../../../domain/costs/report/sums.ts';
import { fleetConfigSchema } from '../../../../domain/fleet/pool/pool-config.ts';
import type { Fleet } from '../../../../clouds/fleet.ts';
import { type ScheduleEntry, scheduleTable } from '../../../../workers/control/schedules/table.ts';
import * as workflows from '../../../../workflows/index.ts';
import { reportOf, someSums } from './fixture.ts';

const NOW = Date.UTC(2026, 0, 15);
const docs = readFileSync(path.resolve(import.meta.dirname, '../../../../docs/costs.md'), 'utf8');

const rented = { provider: 'datacrunch', installationId: 'test', pools: [] };
const tableOf = (input: unknown): Map<string, ScheduleEntry> => {
  const fleet: Fleet = { ...fleetConfigSchema.parse(input), installationId: 'test' };
  return new Map(scheduleTable(fleet, NOW).map((entry) => [entry.id, entry]));
};

describe('the table of schedules', () => {
  it('starts workflows that there are, each under an id of its own', () => {
    const entries = [...tableOf(rented).values()];
    expect(entries.map(({ workflowType }) => workflowType).filter((type) => !(type in workflows))).toEqual([]);
    expect(new Set(entries.map(({ workflowId }) => workflowId)).size).toBe(entries.length);
  });

  it('reaps nothing where servers run already', () =>
    expect([tableOf(rented).has('reaper'), tableOf({}).has('reaper')]).toEqual([true, false]));

  it('makes up for every report that was missed within a week, and for no round', () => {
    for (const { id, overlap, catchUpMs } of tableOf(rented).values()) {
      const isReport = id.startsWith('cost-report-');
      expect(catchUpMs, id).toBe(isReport ? 7 * 86_400_000 : 10_000);
      expect(overlap, id).toBe(isReport ? ScheduleOverlapPolicy.ALLOW_ALL : ScheduleOverlapPolicy.SKIP);
    }
  });

  it('has reports made at the configured hour of the configured zone, later where clocks skip it', () => {
    const accounting = { timezone: 'Europe/Berlin', reportHour: 2 };
    const table = tableOf({ ...rented, accounting });
    expect(table.get('cost-report-daily')?.spec).toMatchObject({
      timezone: 'Europe/Berlin',
      calendars: expect.arrayContaining([
        { hour: 2, minute: 0 },
        { hour: 3, minute: 0, year: 2026, month: 'MARCH', dayOfMonth: 29 },
      ]) as unknown,
    });
    expect(table.get('cost-report-weekly')?.spec.calendars).toEqual([{ hour: 2, minute: 0, dayOfWeek: 'MONDAY' }]);
    expect(table.get('cost-report-monthly')?.spec.calendars).toEqual([{ hour: 2, minute: 0, dayOfMonth: 1 }]);
  });
});

it('docs/costs.md names every schedule', () =>
  expect([...tableOf(rented).keys()].filter((id) => !docs.includes(`| \`${id}\` |`))).toEqual([]));

it('docs/costs.md names every section of the table', () => {
  const period = parsePeriod('2026-W01', 'UTC', NOW);
  const sums = someSums(slotsOf(period).firstOfPeriod);
  const report = reportOf({ period, nowMs: NOW, sums });
  const [head = '', ...lines] = renderReportCsv(report, new Map()).trim().split('\r\n');
  expect(docs).toContain(head.split(',').join(', '));
  const sections = new Set(lines.map((line) => line.split(',')[2] ?? ''));
  expect(sections.size).toBeGreaterThan(12);
  expect([...sections].filter((section) => !docs.includes(`\`${section}\``))).toEqual([]);
});

// Schedules as a terminal shows them: times by the clock that each goes by, what came of the last runs, what was lost.
const SHOWN_AT_MS = Date.parse('2026-03-28T04:00:00Z');
const daily = (values: Partial<ScheduleDocument> = {}): ScheduleDocument => ({
  id: 'cost-report-daily',
  what: 'Report on the costs of the day before',
  paused: false,
  note: null,
  everyMs: null,
  timezone: 'Europe/Berlin',
  nextTimes: ['2026-03-28T05:00:00.000Z', '2026-03-29T04:00:00.000Z'],
  recent: [
    {
      scheduledAt: '2026-03-27T05:00:00.000Z',
      startedAt: '2026-03-27T05:00:01.000Z',
      workflowId: 'cost-report/daily-1',
      status: 'completed',
    },
  ],
  missed: 0,
  skipped: 0,
  ...values,
});

it('a schedule in the terminal says when it is due and when it ran by its own clock: six in the morning before and after clocks change', async () => {
  await expect(renderSchedule(daily(), SHOWN_AT_MS)).toMatchFileSnapshot('snapshots/schedule.txt');
  const after = daily({ nextTimes: ['2026-03-29T04:00:00.000Z'] });
  expect(renderSchedule(after, SHOWN_AT_MS)).toContain('next 2026-03-29 06:00 (Europe/Berlin)');
});

it('a schedule in the terminal says who paused it, without what would act on the terminal, and what was lost', async () => {
  const paused = daily({ paused: true, note: 'paused by \u001B[2Jeve', nextTimes: [], missed: 2, skipped: 1 });
  const text = renderSchedule(paused, SHOWN_AT_MS);
  await expect(text).toMatchFileSnapshot('snapshots/schedule-paused.txt');
  expect(text).not.toContain('\u001B');
});

it('a schedule in the terminal says where schedules come from when there are none', () =>
  expect(renderSchedules([], SHOWN_AT_MS)).toMatchFileSnapshot('snapshots/no-schedules.txt'));
