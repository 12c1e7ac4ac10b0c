/** What tests of alert rounds share: rounds on real rows, without the readers that ask Temporal. */
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Client } from '@temporalio/client';
import { judgeRules, type RoundDeps, type RoundOutcome } from '../../../activities/alerts/round.ts';
import type { MetricSource } from '../../../activities/metrics/source.ts';
import { SOURCES } from '../../../activities/metrics/sources.ts';
import { fleetConfigSchema } from '../../../domain/fleet/pool/pool-config.ts';
import type { Alert, Prisma, PrismaClient } from '../../../generated/prisma/client.ts';
import { createLogger } from '../../../platform/log.ts';
import { anInstance, aServing, NOW } from '../../../testing/make.ts';

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
/** So many milliseconds before a time, {@link NOW} by default. */
export const before = (ms: number, at: Date = NOW): Date => new Date(at.getTime() - ms);

/** Nothing asks it: the sources that would are replaced. */
export const NO_TEMPORAL = {} as Client;

/** A source that reads nothing. */
export const silent = (source: MetricSource): MetricSource => ({ ...source, read: () => Promise.resolve([]) });
/** True for a source that asks Temporal. */
export const asksTemporal = ({ name }: MetricSource): boolean => name === 'workers' || name === 'schedules';

/** Sources of rows; those that ask Temporal have tests of their own. */
const ROW_SOURCES = SOURCES.map((source) => (asksTemporal(source) ? silent(source) : source));

/** Settings of a fleet in that time zone. */
export const fleetIn = (timezone: string) => () =>
  fleetConfigSchema.parse({ provider: 'static', providers: { datacrunch: {} }, accounting: { timezone } });

/** One round as the control process makes it. */
export const round = (db: PrismaClient, now: Date, deps: Partial<RoundDeps> = {}): Promise<RoundOutcome> =>
  judgeRules(
    {
      db,
      temporal: NO_TEMPORAL,
      // It is made with the first deck.
      blobDir: path.join(tmpdir(), 'none', 'yet'),
      fleet: fleetIn('Europe/Berlin'),
      slaMs: 600_000,
      log: createLogger('test', { logLevel: 'silent' }),
      sources: ROW_SOURCES,
      ...deps,
    },
    now,
  );

/** Sets the limits of the rule about free space. */
const limitDisk = (db: PrismaClient, ratio: number) =>
  db.alertRule.update({ where: { id: 'disk-space' }, data: { raiseAt: ratio, clearAt: ratio } });

/** The free space of the machine that runs the tests is never too little. */
export const anyDisk = (db: PrismaClient) => limitDisk(db, 0);
/** The free space of that machine is too little, however much it is. */
export const noDisk = (db: PrismaClient) => limitDisk(db, 1);

/** Alerts of a rule, oldest first. */
export const alertsOf = (db: PrismaClient, ruleId: string): Promise<Alert[]> =>
  db.alert.findMany({ where: { ruleId }, orderBy: { raisedAt: 'asc' } });

/** A machine that a gateway serves at that time. */
export async function served(
  db: PrismaClient,
  name: string,
  at: Date,
  values: Partial<Prisma.FleetInstanceUncheckedCreateInput> = {},
): Promise<void> {
  await anInstance(db, { name, readyAt: before(HOUR_MS, at), ...values });
  await aServing(db, { instanceName: name, seenAt: at });
}
/** Writes the health of an instance. */
export const healthOf = (
  db: PrismaClient,
  instanceName: string,
  at: Date,
  values: Partial<Prisma.InstanceHealthUncheckedCreateInput> = {},
): Promise<unknown> => {
  const columns = { pool: 'visual', level: 'healthy', since: at, reason: 'it answers', lastSampleAt: at, ...values };
  return db.instanceHealth.upsert({ where: { instanceName }, create: { instanceName, ...columns }, update: columns });
};
