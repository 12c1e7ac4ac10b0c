/** Every source of gauges: which metrics each reads, and how. */
import type { MetricName, Sample } from '../../domain/metrics/catalogue.ts';
import { readFleet } from './fleet.ts';
import { readHealth } from './health.ts';
import { readDisk, readSchedules, readWorkers } from './installation.ts';
import { readMachines, readOfferPrices, readOrphans } from './machines.ts';
import { readAccount, readBudgets, readDailyCost, readLedger } from './money.ts';
import { readBacklog, readPools } from './pools.ts';
import type { Look, MetricSource } from './source.ts';
import { readProviderAnswers } from './provider-answers.ts';
import { readTargets } from './targets.ts';
import { readDeliveries, readFailures, readStillAnalyses, readWork } from './work.ts';

type Read = (look: Look) => Promise<readonly Sample[]>;

const source = (name: string, read: Read, ...metrics: MetricName[]): MetricSource => ({
  name,
  metrics,
  isSlow: false,
  read,
});
const slow = (name: string, read: Read, ...metrics: MetricName[]): MetricSource => ({
  ...source(name, read, ...metrics),
  isSlow: true,
});

export const SOURCES: readonly MetricSource[] = [
  source(
    'fleet',
    readFleet,
    'gpu_instances',
    'gpu_offer_blocked',
    'gpu_offer_blocked_until_timestamp_seconds',
    'gpu_launch_budget',
  ),
  source(
    'pools',
    readPools,
    'pool_target',
    'pool_wish',
    'pool_backlog_work_seconds',
    'pool_backlog_calls',
    'pool_decided_timestamp_seconds',
    'budget_refusal',
  ),
  source('backlog', readBacklog, 'backlog_age_seconds', 'drought_seconds'),
  source(
    'health',
    readHealth,
    'health_level',
    'health_sample_age_seconds',
    'quarantined_ratio',
    'gpu_quarantined',
    'gpu_util_ratio',
    'gpu_mem_used_bytes',
    'gpu_mem_total_bytes',
    'gpu_temp_celsius',
    'gpu_margin_celsius',
  ),
  source('machines', readMachines, 'boot_seconds', 'gateway_silent_seconds', 'health_repairs', 'spot_evictions'),
  source('provider answers', readProviderAnswers, 'provider_silent_seconds'),
  source('orphans', readOrphans, 'orphans_found', 'orphans_removed'),
  source(
    'work',
    readWork,
    'deckhand_analyses',
    'deckhand_model_calls_open',
    'deckhand_webhook_deliveries_open',
    'deckhand_alerts_open',
  ),
  source('progress', readStillAnalyses, 'analysis_still_seconds'),
  source('ledger', readLedger, 'deckhand_ledger_lag_seconds'),
  source('account', readAccount, 'account_seconds'),
  slow('budgets', readBudgets, 'budget_remaining_usd', 'budget_ratio'),
  slow('costs', readDailyCost, 'daily_cost_ratio'),
  slow('prices', readOfferPrices, 'offer_price_ratio'),
  slow('failures', readFailures, 'call_failure_ratio', 'analysis_failure_ratio'),
  slow('deliveries', readDeliveries, 'delivery_failures'),
  slow('targets', readTargets, 'deckhand_target_value', 'deckhand_target_limit', 'deckhand_target_met'),
  slow('disk', readDisk, 'disk_free_ratio'),
  slow('workers', readWorkers, 'worker_silent_seconds'),
  slow('schedules', readSchedules, 'schedule_late_seconds', 'schedule_paused', 'schedule_failures'),
];

/** The source of each metric, by name. */
export const sourceOf = (metric: string, sources: readonly MetricSource[] = SOURCES): MetricSource | undefined =>
  sources.find(({ metrics }) => metrics.some((name) => name === metric));
