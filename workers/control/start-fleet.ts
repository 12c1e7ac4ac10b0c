/**
 * What a control process sets going when it starts: the pools and everything that is done by the clock. Repeating it changes nothing.
 */
import type { Client } from '@temporalio/client';
import { asDeckhandError, ERROR_KINDS } from '../../domain/errors.ts';
import type { Fleet } from '../../platform/fleet-config.ts';
import { pause } from '../../platform/pause.ts';
import type { WorkerProcess } from '../support/worker-process.ts';
import { ensureSchedules } from './schedules/ensure.ts';
import { scheduleTable } from './schedules/table.ts';
import { startPools } from './start-pools.ts';

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;

/** Starts pools and schedules. A failure ends neither the process nor running analyses. */
export async function startFleet(process: WorkerProcess, fleet: Fleet, temporal: Client): Promise<void> {
  const { db, config } = process;
  await Promise.all([
    setGoing(process, 'the pools', () => startPools(temporal, db, config, fleet)),
    setGoing(process, 'the schedules', () => ensureSchedules(temporal, scheduleTable(fleet, Date.now()))),
  ]);
}

/** Retries until it works. An error that an operator has to correct is logged, and tried again at the next start. */
async function setGoing({ log, stopping }: WorkerProcess, what: string, start: () => Promise<void>): Promise<void> {
  for (let pauseMs = FIRST_PAUSE_MS; !stopping.aborted; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    try {
      await start();
      return;
    } catch (error) {
      const { code, userMessage, hint } = asDeckhandError(error);
      if (ERROR_KINDS[code].permanent) {
        log.error({ err: error, code, hint }, `${what} cannot be started: ${userMessage}`);
        return;
      }
      log.warn({ err: error, code }, `${what} could not be started yet`);
      await pause(pauseMs, stopping);
    }
  }
}
