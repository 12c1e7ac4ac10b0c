/**
 * What the readers of alert metrics work with, and what they share.
 */
import type { Client } from '@temporalio/client';
import type { Reading } from '../../../domain/alerts/metrics.ts';
import { isAwake, isFinal, phasesThat } from '../../../domain/fleet/phases.ts';
import type { PrismaClient } from '../../../generated/prisma/client.ts';

/** Parts of the process that metrics are read from. */
export interface MetricDeps {
  readonly db: PrismaClient;
  readonly temporal: Client;
  /** Directory of PDFs and slide images. */
  readonly blobDir: string;
  /** Most bytes that these may take; undefined = what the disk holds, unless the store itself says. */
  readonly blobQuotaBytes?: number | undefined;
  /** Time zone of days (IANA). */
  readonly timezone: string;
}

/** One look. */
export interface Look extends MetricDeps {
  readonly now: Date;
  /** Of the rule; for metrics that are taken over one. */
  readonly windowSec: number;
}

/** Reads a metric: one reading for every subject there is, also where nothing is wrong, so that an alert has something to be cleared by. */
export type MetricReader = (look: Look) => Promise<readonly Reading[]>;

/** Since when the window of a look is. */
export const windowStart = ({ now, windowSec }: Look): Date => new Date(now.getTime() - windowSec * 1000);

/** Seconds from then to now, never negative. */
export const secondsSince = (then: Date, now: Date): number => Math.max(0, (now.getTime() - then.getTime()) / 1000);

/** `12 %`; a share that is small and not nothing keeps a digit. */
export function percent(ratio: number): string {
  const percents = ratio * 100;
  return `${percents > 0 && percents < 1 ? percents.toFixed(1) : Math.round(percents)} %`;
}

/** Instances whose life goes on. */
export const LIVING = { endedAt: null, phase: { notIn: phasesThat(isFinal) } };

/** Phases in which a machine is there to work. */
export const AWAKE: readonly string[] = phasesThat(isAwake);
