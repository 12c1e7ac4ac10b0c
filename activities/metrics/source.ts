/** Types and helpers of metric sources. A source reads some metrics together; alert rounds, `/metrics` and targets all read them. */
import type { Client } from '@temporalio/client';
import { definitionOf, type Labels, type MetricName, type Sample } from '../../domain/metrics/catalogue.ts';
import { isFinal, phasesThat } from '../../domain/fleet/phases.ts';
import type { FleetConfig } from '../../domain/fleet/pool/pool-config.ts';
import type { PrismaClient } from '../../generated/prisma/client.ts';
import type { Transaction } from '../../platform/db.ts';

/** Parts of the process that metrics are read from. */
export interface MetricDeps {
  readonly db: PrismaClient;
  readonly temporal: Client;
  /** The settings of the fleet, read anew. @throws DeckhandError when the fleet file is not valid */
  readonly fleet: () => Pick<FleetConfig, 'provider' | 'providers' | 'pools' | 'targets' | 'accounting'>;
  /** Time within which a document is to be done. */
  readonly slaMs: number;
  /** Directory of PDFs and slide images. */
  readonly blobDir: string;
  /** Most bytes that these may take; undefined = what the disk holds, unless the store itself says. */
  readonly blobQuotaBytes?: number | undefined;
}

/** One reading. */
export interface Look extends Omit<MetricDeps, 'db'> {
  /** May be a transaction, whose statements are ended after some seconds. */
  readonly db: Transaction;
  readonly now: Date;
  /** Of the alert rule that asks; null for `/metrics`, which shows every metric over its default window. */
  readonly windowSec: number | null;
}

/** Metrics that are read together, and missing together when they cannot be. */
export interface MetricSource {
  readonly name: string;
  readonly metrics: readonly MetricName[];
  /** True for what takes longer to read: `/metrics` reads it once a minute at most. */
  readonly isSlow: boolean;
  /** One sample for every subject that exists, also where nothing is wrong, so that an alert can be cleared. */
  read(look: Look): Promise<readonly Sample[]>;
}

/** One sample. @param message the value in words, for metrics that alert rules can be about */
export const sample = (metric: MetricName, labels: Labels, value: number, message?: string): Sample => ({
  metric,
  labels,
  value,
  ...(message === undefined ? {} : { message }),
});

/** A sample where there is a figure, else none. */
export const sampleIf = (metric: MetricName, labels: Labels, value: number | bigint | null): Sample[] =>
  value === null ? [] : [sample(metric, labels, Number(value))];

/** Length of the window that a metric is read over, s. */
export function windowOf({ windowSec }: Look, metric: MetricName): number {
  const definition = definitionOf(metric);
  return windowSec ?? (definition.type === 'gauge' ? definition.alert?.windowSec : null) ?? 0;
}

/** When the window of a metric begins. */
export const windowStart = (look: Look, metric: MetricName): Date =>
  new Date(look.now.getTime() - windowOf(look, metric) * 1000);

/** Seconds from then to now, never negative. */
export const secondsSince = (then: Date, now: Date): number => Math.max(0, (now.getTime() - then.getTime()) / 1000);

/** Unix time in seconds. */
export const timestamp = (at: Date): number => at.getTime() / 1000;

/** `12 %`; a share that is small and not nothing keeps a digit. */
export function percent(ratio: number): string {
  const percents = ratio * 100;
  return `${percents > 0 && percents < 1 ? percents.toFixed(1) : Math.round(percents)} %`;
}

/** Instances whose life has not ended. */
export const LIVING = { endedAt: null, phase: { notIn: phasesThat(isFinal) } };
