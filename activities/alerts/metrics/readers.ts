/**
 * How each metric of alert rules is read: the one table of readers. What lives of instances tell is no reading, and rules that cannot be read
 * are found while the others are: both are the round's.
 */
import type { AlertMetricName } from '../../../domain/alerts/metrics.ts';
import { readBudgetRefusals, readBudgetUse } from './budgets.ts';
import { readDeliveryFailures } from './deliveries.ts';
import { readDiskSpace } from './disk.ts';
import {
  readBoots,
  readEvictions,
  readHealthLevels,
  readOrphans,
  readQuarantine,
  readRemovedOrphans,
  readRepairs,
  readSampleAges,
  readSilentGateways,
} from './machines.ts';
import { readDroughts, readOfferPrices } from './market.ts';
import { readAccountHours, readDailyCost, readLedgerLag } from './money.ts';
import type { MetricReader } from './reader.ts';
import { readPausedSchedules, readScheduleFailures, readScheduleLateness } from './schedules.ts';
import { readAnalysisFailures, readBacklogAge, readCallFailures, readStillAnalyses } from './work.ts';
import { readSilentWorkers } from './workers.ts';

/** Metrics that a reader gives. */
export type ReadMetric = Exclude<AlertMetricName, 'operator_told' | 'unread_rule'>;

export const METRIC_READERS: Readonly<Record<ReadMetric, MetricReader>> = {
  call_failure_ratio: readCallFailures,
  analysis_failure_ratio: readAnalysisFailures,
  backlog_age_seconds: readBacklogAge,
  analysis_still_seconds: readStillAnalyses,
  boot_seconds: readBoots,
  health_level: readHealthLevels,
  health_sample_age_seconds: readSampleAges,
  quarantined_ratio: readQuarantine,
  gateway_silent_seconds: readSilentGateways,
  worker_silent_seconds: readSilentWorkers,
  orphan_count: readOrphans,
  orphans_removed: readRemovedOrphans,
  health_repairs: readRepairs,
  spot_evictions: readEvictions,
  drought_seconds: readDroughts,
  offer_price_ratio: readOfferPrices,
  budget_ratio: readBudgetUse,
  budget_refusal: readBudgetRefusals,
  daily_cost_ratio: readDailyCost,
  account_hours: readAccountHours,
  ledger_lag_seconds: readLedgerLag,
  schedule_late_seconds: readScheduleLateness,
  schedule_paused: readPausedSchedules,
  schedule_failures: readScheduleFailures,
  delivery_failures: readDeliveryFailures,
  disk_free_ratio: readDiskSpace,
};
