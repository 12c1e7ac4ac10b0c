/** What groups of gauges are made of: each reads rows of a bounded number, by an index, within a short time. */
import type { Labels, MetricName, Sample } from '../../../domain/metrics/definitions.ts';
import type { Prisma } from '../../../generated/prisma/client.ts';
import type { ApiDeps } from '../../deps.ts';

/** What a group reads by. */
export interface GroupDeps {
  /** A transaction whose statements are ended after some seconds. */
  readonly db: Prisma.TransactionClient;
  readonly config: ApiDeps['config'];
  readonly now: Date;
}

/** Gauges that are read together, and missing together when they cannot be. */
export interface MetricGroup {
  readonly name: string;
  read(deps: GroupDeps): Promise<readonly Sample[]>;
}

/** One sample. */
export const sample = (metric: MetricName, labels: Labels, value: number): Sample => ({ metric, labels, value });

/** A sample where there is a figure, else none. */
export const sampleIf = (metric: MetricName, labels: Labels, value: number | bigint | null): Sample[] =>
  value === null ? [] : [sample(metric, labels, Number(value))];

/** Unix time in seconds, as Prometheus counts it. */
export const timestamp = (at: Date): number => at.getTime() / 1000;
