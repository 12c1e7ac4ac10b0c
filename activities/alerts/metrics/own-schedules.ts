/** Ids of every schedule of Deckhand. */
import { makeCostReportScheduleId, SCHEDULED_REPORT_KINDS, SETTLE_SCHEDULE_ID } from '../../../contracts/costs.ts';
import { ALERT_SCHEDULE_ID } from '../../../contracts/alerts.ts';
import { REAPER_SCHEDULE_ID } from '../../../contracts/reaper.ts';

export const OWN_SCHEDULE_IDS: readonly string[] = [
  ALERT_SCHEDULE_ID,
  REAPER_SCHEDULE_ID,
  SETTLE_SCHEDULE_ID,
  ...SCHEDULED_REPORT_KINDS.map(makeCostReportScheduleId),
];
