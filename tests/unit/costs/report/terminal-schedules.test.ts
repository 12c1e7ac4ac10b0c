/** Schedules as a terminal shows them: times by the clock that each goes by, what came of the last runs, what was lost. */
import { expect, it } from 'vitest';
import type { ScheduleDocument } from '../../../../api/client.ts';
import { renderSchedule, renderSchedules } from '../../../../cli/costs/schedules.ts';

const NOW = Date.parse('2026-03-28T04:00:00Z');
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
  await expect(renderSchedule(daily(), NOW)).toMatchFileSnapshot('snapshots/schedule.txt');
  const after = daily({ nextTimes: ['2026-03-29T04:00:00.000Z'] });
  expect(renderSchedule(after, NOW)).toContain('next 2026-03-29 06:00 (Europe/Berlin)');
});

it('a schedule in the terminal says who paused it, without what would act on the terminal, and what was lost', async () => {
  const text = renderSchedule(
    daily({ paused: true, note: 'paused by \u001B[2Jeve', nextTimes: [], missed: 2, skipped: 1 }),
    NOW,
  );
  await expect(text).toMatchFileSnapshot('snapshots/schedule-paused.txt');
  expect(text).not.toContain('\u001B');
});

it('a schedule in the terminal says where schedules come from when there are none', () =>
  expect(renderSchedules([], NOW)).toMatchFileSnapshot('snapshots/no-schedules.txt'));
