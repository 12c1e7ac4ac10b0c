/** What tests of alert rounds share: rounds on real rows, without the readers that ask Temporal. */
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Client } from '@temporalio/client';
import { METRIC_READERS } from '../../../activities/alerts/metrics/readers.ts';
import { judgeRules, type RoundDeps, type RoundOutcome } from '../../../activities/alerts/round.ts';
import type { Alert, PrismaClient } from '../../../generated/prisma/client.ts';
import { createLogger } from '../../../platform/log.ts';

/** Nothing asks it: the readers that would are left out. */
const NO_TEMPORAL = {} as Client;
const nothing = () => Promise.resolve([]);

/** Readers of rows; those that ask Temporal have tests of their own. */
const ROW_READERS = {
  ...METRIC_READERS,
  worker_silent_seconds: nothing,
  schedule_late_seconds: nothing,
  schedule_paused: nothing,
  schedule_failures: nothing,
};

/** One round as the control process makes it. */
export const round = (db: PrismaClient, now: Date, deps: Partial<RoundDeps> = {}): Promise<RoundOutcome> =>
  judgeRules(
    {
      db,
      temporal: NO_TEMPORAL,
      // It is made with the first deck.
      blobDir: path.join(tmpdir(), 'none', 'yet'),
      timezone: 'Europe/Berlin',
      log: createLogger('test', { logLevel: 'silent' }),
      readers: ROW_READERS,
      ...deps,
    },
    now,
  );

/** Alerts of a rule, oldest first. */
export const alertsOf = (db: PrismaClient, ruleId: string): Promise<Alert[]> =>
  db.alert.findMany({ where: { ruleId }, orderBy: { raisedAt: 'asc' } });
