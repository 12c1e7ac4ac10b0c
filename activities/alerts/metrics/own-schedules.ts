/** Ids of every schedule of Deckhand. */
import {
  ALERT_SCHEDULE_ID,
  makeCostReportScheduleId,
  SCHEDULED_REPORT_KINDS,
  SETTLE_SCHEDULE_ID,
} from '../../../workflows/accounting/contract.ts';
import { REAPER_SCHEDULE_ID } from '../../../workflows/reaper/contract.ts';

export const OWN_SCHEDULE_IDS: readonly string[] = [
  ALERT_SCHEDULE_ID,
  REAPER_SCHEDULE_ID,
  SETTLE_SCHEDULE_ID,
  ...SCHEDULED_REPORT_KINDS.map(makeCostReportScheduleId),
];
